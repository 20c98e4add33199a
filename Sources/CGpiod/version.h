// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gpiod.h>

// gpiod.h tells no version, but this macro is in 1.x only.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIOD_HEADER_MAJOR 1
#define CGPIOD_HEADER_VERSION "1.x"
#else
#define CGPIOD_HEADER_MAJOR 2
#define CGPIOD_HEADER_VERSION "2.x"
#endif

// Package.swift asks pkg-config for its version and looks at the library that will be linked: a mix of 1.x and 2.x
// would fail with an unexplained error of the compiler or the linker, or not before the first call.
#define CGPIOD_TEXT(token) #token
#define CGPIOD_EXPANDED(macro) CGPIOD_TEXT(macro)
#define CGPIOD_ADVICE \
    "; remove one of the two (see `pkg-config --cflags --libs libgpiod`), then run `swift package purge-cache`"

#if defined(CGPIOD_PKGCONFIG_MAJOR) && CGPIOD_PKGCONFIG_MAJOR != CGPIOD_HEADER_MAJOR
_Static_assert(0, "libgpiod is mixed: pkg-config has version " CGPIOD_EXPANDED(CGPIOD_PKGCONFIG_VERSION)
                  ", but gpiod.h is that of " CGPIOD_HEADER_VERSION CGPIOD_ADVICE);
#define CGPIOD_MIXED 1
#elif defined(CGPIOD_LIBRARY_MAJOR) && CGPIOD_LIBRARY_MAJOR != CGPIOD_HEADER_MAJOR
_Static_assert(0, "libgpiod is mixed: libgpiod.so is that of version " CGPIOD_EXPANDED(CGPIOD_LIBRARY_MAJOR)
                  ".x, but gpiod.h is that of " CGPIOD_HEADER_VERSION CGPIOD_ADVICE);
#define CGPIOD_MIXED 1
#else
#define CGPIOD_MIXED 0
#endif
