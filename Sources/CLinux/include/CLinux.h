// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Header only: what Swift's Glibc module cannot express.

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

// SO_PEERCRED's struct is behind _GNU_SOURCE, which Swift's importer does not set.
struct clinux_peer {
    int pid;
    unsigned int uid;
    unsigned int gid;
};

static inline int clinux_peer_credentials(int fd, struct clinux_peer *peer) {
    socklen_t size = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size);
}

// glibc's wrapper is behind _GNU_SOURCE too.
static inline int clinux_renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags) {
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

// prctl(2) is variadic, which Swift cannot call. At most 15 bytes are kept.
static inline int clinux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Swift's Glibc module leaves out <sys/timex.h>. 1: the kernel takes the wall clock as synchronised, 0: it does not,
// -1: see errno.
static inline int clinux_clock_is_disciplined(void) {
    struct timex state = {0};
    int result = adjtimex(&state);
    if (result < 0) return -1;
    return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}

// Macros with arguments.
static inline unsigned int clinux_major(dev_t device) { return major(device); }
static inline unsigned int clinux_minor(dev_t device) { return minor(device); }
