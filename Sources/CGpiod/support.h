// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What both implementations need.

#include "CGpiod.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

// The error of the call before: negative, never 0.
static inline int cgpiod_failure(void) { return errno > 0 ? -errno : -EIO; }

static inline void cgpiod_copy_name(char to[CGPIOD_NAME_SIZE], const char *from) {
    size_t length = from ? strnlen(from, CGPIOD_NAME_SIZE - 1) : 0;
    if (length > 0) memcpy(to, from, length);
    to[length] = 0;
}

// Reading events must never block.
static inline int cgpiod_make_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? cgpiod_failure() : 0;
}
