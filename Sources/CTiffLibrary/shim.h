// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// libtiff itself, for CTiff alone: it brings pkg-config's flags.
#include <tiffio.h>
