// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What Swift's Glibc module cannot express.

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/magic.h>
#include <linux/spi/spidev.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/un.h>
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

// The groups of the peer at the time it connected (SO_PEERGROUPS); their count, or -1.
static inline int clinux_peer_groups(int fd, gid_t *groups, int capacity) {
    socklen_t size = (socklen_t)(capacity * sizeof *groups);
    return getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0 ? -1 : (int)(size / sizeof *groups);
}

// ppoll is behind _GNU_SOURCE.
static inline int clinux_ppoll(struct pollfd *fds, unsigned long count, const struct timespec *timeout) {
    struct timespec time = *timeout; // the system call writes the rest into it
    return (int)syscall(SYS_ppoll, fds, count, &time, NULL, 8);
}

// pipe2 is behind _GNU_SOURCE, as is closefrom for a program to be spawned (glibc 2.34). Only the reading end does not block.
static inline int clinux_pipe(int ends[2]) {
    if (syscall(SYS_pipe2, ends, O_CLOEXEC) < 0) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

// glibc's wrapper is younger than some kernels'; always O_CLOEXEC.
static inline int clinux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// accept4 is behind _GNU_SOURCE.
static inline int clinux_accept(int fd) {
    return (int)syscall(SYS_accept4, fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// getopt_long(3) keeps its state in globals, which Swift 6 does not let one touch. One thread at a time.
static inline void clinux_getopt_start(void) {
    opterr = 0;
    optind = 0;  // glibc: forget everything, also the order of an earlier call
}

static inline int clinux_getopt_next(int argc, char *const argv[], const char *letters, const struct option *options) {
    return getopt_long(argc, argv, letters, options, NULL);
}

static inline const char *clinux_getopt_value(void) { return optarg; }
static inline int clinux_getopt_index(void) { return optind; }
static inline int clinux_getopt_culprit(void) { return optopt; }
// c_cc is a tuple in Swift. Keys arrive one by one and unechoed; signals from the keyboard stay.
static inline void clinux_cbreak(struct termios *mode) {
    mode->c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    mode->c_cc[VMIN] = 1;
    mode->c_cc[VTIME] = 0;
}
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

// spidev's ioctls are macros of macros. Mode 0, 8 bits; `actual` is the speed as the driver has it afterwards.
static inline int clinux_spi_setup(int fd, uint32_t speed, uint32_t *actual) {
    uint8_t mode = SPI_MODE_0, bits = 8;
    if (ioctl(fd, SPI_IOC_WR_MODE, &mode) < 0) return -1;
    if (ioctl(fd, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0) return -1;
    if (ioctl(fd, SPI_IOC_WR_MAX_SPEED_HZ, &speed) < 0) return -1;
    return ioctl(fd, SPI_IOC_RD_MAX_SPEED_HZ, actual);
}

// One message of one transfer: no gap between its bytes.
static inline int clinux_spi_send(int fd, const void *bytes, uint32_t length, uint32_t speed) {
    struct spi_ioc_transfer transfer;
    memset(&transfer, 0, sizeof transfer);
    transfer.tx_buf = (uintptr_t)bytes;
    transfer.len = length;
    transfer.speed_hz = speed;
    transfer.bits_per_word = 8;
    return ioctl(fd, SPI_IOC_MESSAGE(1), &transfer);
}

// An event of an input device: its time has other names and sizes on other systems.
struct clinux_input_event {
    int64_t time_ns;
    uint16_t type;
    uint16_t code;
    int32_t value;
};

// EVIOCSCLOCKID
static inline int clinux_input_use_monotonic(int fd) {
    int clock = 1; // CLOCK_MONOTONIC
    return ioctl(fd, EVIOCSCLOCKID, &clock);
}

// EVIOCGNAME
static inline int clinux_input_name(int fd, char *name, size_t size) { return ioctl(fd, EVIOCGNAME(size), name); }

// EVIOCGKEY: a bit for each key, set while it is down.
static inline int clinux_input_keys(int fd, uint8_t *bits, size_t size) { return ioctl(fd, EVIOCGKEY(size), bits); }

// read(2): how many events, at most 64; 0 at the end.
static inline int clinux_input_read(int fd, struct clinux_input_event *events, size_t count) {
    struct input_event raw[64];
    ssize_t bytes = read(fd, raw, (count < 64 ? count : 64) * sizeof raw[0]);
    if (bytes < 0)
        return -1;
    size_t got = (size_t)bytes / sizeof raw[0];
    for (size_t i = 0; i < got; i++) {
        events[i].time_ns = (int64_t)raw[i].input_event_sec * 1000000000 + (int64_t)raw[i].input_event_usec * 1000;
        events[i].type = raw[i].type;
        events[i].code = raw[i].code;
        events[i].value = raw[i].value;
    }
    return (int)got;
}

// Takes the pages of all libraries' code and constants, but not the program's own, out of this process's memory; what is needed comes back
// from the page cache when it is (madvise(2), MADV_DONTNEED). Linking a library reads tables of it that are then never looked at again.
void clinux_let_go_of_code(void);

// Reads the program's own code and constants, so that the first press need not wait for a card: madvise(2), MADV_POPULATE_READ. May block.
void clinux_fetch_code(void);
