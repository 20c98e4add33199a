// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands between a program and the kernel (LD_PRELOAD), counts the calls on files below one folder, and lets one of them fail.
// In the environment:
//
//   FAULT_ROOT   the folder; calls on what is below it count
//   FAULT_LOG    a file outside of it, for a line for each call that counts: its number, its name, its path
//   FAULT_CALL   the number of the call that fails; 0 or none: all work
//   FAULT_ERROR  the errno that it fails with; or "short": it moves one byte less than asked, or half of them
//   FAULT_STORM  so many interruptions (EINTR) before each call that can be interrupted
//
// A call that fails has had no effect, except close(2), whose descriptor is closed all the same: as with Linux.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

// The next definition of a function, as it is declared in the system's headers.
#define NEXT(name)                                                                                                                         \
    static __typeof__(&name) next;                                                                                                         \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

enum outcome { WORKS, FAILS, SHORT };

static const char *root;
static size_t root_length;
static long chosen, storm;
static int error, is_short, log_file = -1;
static atomic_long count;
static __thread long interruptions;

static long number_in(const char *name) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *log = getenv("FAULT_LOG"), *wanted = getenv("FAULT_ERROR");
    root = getenv("FAULT_ROOT");
    root_length = root ? strlen(root) : 0;
    chosen = number_in("FAULT_CALL");
    storm = number_in("FAULT_STORM");
    is_short = wanted && !strcmp(wanted, "short");
    error = wanted && !is_short ? atoi(wanted) : EIO;
    if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    // What this program starts is another's.
    unsetenv("LD_PRELOAD");
}

static enum outcome judge(const char *call, const char *path) {
    if (!root_length || !path || strncmp(path, root, root_length) || (path[root_length] && path[root_length] != '/')) return WORKS;
    long mine = atomic_fetch_add(&count, 1) + 1;
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", mine, call, path);
    if (log_file >= 0 && length > 0) (void)!syscall(SYS_write, log_file, line, length);
    if (mine != chosen) return WORKS;
    if (is_short) return SHORT;
    errno = error;
    return FAILS;
}

static enum outcome judge_descriptor(const char *call, int descriptor) {
    char name[64], path[PATH_MAX];
    int saved = errno;
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, name, path, sizeof path - 1);
    errno = saved;
    if (length <= 0) return WORKS;
    path[length] = 0;
    return judge(call, path);
}

// Whether this call of a thread is to be interrupted first.
static int is_interrupted(void) {
    if (interruptions >= storm) {
        interruptions = 0;
        return 0;
    }
    interruptions++;
    errno = EINTR;
    return 1;
}

#define MODE(last)                                                                                                                         \
    mode_t mode = 0;                                                                                                                       \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                                                   \
        va_list rest;                                                                                                                      \
        va_start(rest, last);                                                                                                              \
        mode = va_arg(rest, mode_t);                                                                                                       \
        va_end(rest);                                                                                                                      \
    }

#define OPEN(name)                                                                                                                         \
    int name(const char *path, int flags, ...) {                                                                                           \
        NEXT(name);                                                                                                                        \
        MODE(flags)                                                                                                                        \
        return judge("open", path) == FAILS ? -1 : next(path, flags, mode);                                                                \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                                       \
    int name(int folder, const char *path, int flags, ...) {                                                                               \
        NEXT(name);                                                                                                                        \
        MODE(flags)                                                                                                                        \
        return judge("open", path) == FAILS ? -1 : next(folder, path, flags, mode);                                                        \
    }
OPENAT(openat)
OPENAT(openat64)

// Half, but never nothing: that would be the end of a file.
static size_t part(enum outcome outcome, size_t size) { return outcome == SHORT && size > 1 ? size / 2 : size; }

#define MOVE(name, call, type)                                                                                                             \
    ssize_t name(int file, type buffer, size_t size) {                                                                                     \
        NEXT(name);                                                                                                                        \
        if (is_interrupted()) return -1;                                                                                                   \
        enum outcome outcome = judge_descriptor(call, file);                                                                               \
        return outcome == FAILS ? -1 : next(file, buffer, part(outcome, size));                                                            \
    }
MOVE(read, "read", void *)
MOVE(write, "write", const void *)

#define MOVE_AT(name, call, type, offset_type)                                                                                             \
    ssize_t name(int file, type buffer, size_t size, offset_type offset) {                                                                 \
        NEXT(name);                                                                                                                        \
        if (is_interrupted()) return -1;                                                                                                   \
        enum outcome outcome = judge_descriptor(call, file);                                                                               \
        return outcome == FAILS ? -1 : next(file, buffer, part(outcome, size), offset);                                                    \
    }
MOVE_AT(pread, "read", void *, off_t)
MOVE_AT(pread64, "read", void *, off64_t)
MOVE_AT(pwrite, "write", const void *, off_t)
MOVE_AT(pwrite64, "write", const void *, off64_t)

#define ON_DESCRIPTOR(name, call, parameters, ...)                                                                                         \
    int name parameters {                                                                                                                  \
        NEXT(name);                                                                                                                        \
        return judge_descriptor(call, file) == FAILS ? -1 : next(__VA_ARGS__);                                                             \
    }
ON_DESCRIPTOR(fsync, "fsync", (int file), file)
ON_DESCRIPTOR(fdatasync, "fdatasync", (int file), file)
ON_DESCRIPTOR(ftruncate, "truncate", (int file, off_t size), file, size)
ON_DESCRIPTOR(ftruncate64, "truncate", (int file, off64_t size), file, size)
ON_DESCRIPTOR(fstat, "stat", (int file, struct stat *facts), file, facts)

int close(int file) {
    NEXT(close);
    enum outcome outcome = judge_descriptor("close", file);
    int result = next(file);
    if (outcome != FAILS) return result;
    errno = error;
    return -1;
}

#define ON_PATH(name, call, parameters, ...)                                                                                               \
    int name parameters {                                                                                                                  \
        NEXT(name);                                                                                                                        \
        return judge(call, path) == FAILS ? -1 : next(__VA_ARGS__);                                                                        \
    }
ON_PATH(unlink, "unlink", (const char *path), path)
ON_PATH(mkdir, "mkdir", (const char *path, mode_t mode), path, mode)
ON_PATH(access, "access", (const char *path, int mode), path, mode)
ON_PATH(stat, "stat", (const char *path, struct stat *facts), path, facts)
ON_PATH(lstat, "stat", (const char *path, struct stat *facts), path, facts)
ON_PATH(statfs, "statfs", (const char *path, struct statfs *facts), path, facts)
ON_PATH(statvfs, "statfs", (const char *path, struct statvfs *facts), path, facts)
ON_PATH(rename, "rename", (const char *path, const char *to), path, to)
ON_PATH(link, "link", (const char *path, const char *to), path, to)

DIR *opendir(const char *path) {
    NEXT(opendir);
    return judge("opendir", path) == FAILS ? NULL : next(path);
}

// renameat2(2) has no function in older libraries and is called by its number.
long syscall(long number, ...) {
    NEXT(syscall);
    long argument[6];
    va_list rest;
    va_start(rest, number);
    for (int index = 0; index < 6; index++) argument[index] = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_renameat2 && judge("rename", (const char *)argument[1]) == FAILS) return -1;
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}
