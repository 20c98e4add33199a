// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Our view of libgpiod, the same over 1.6 and 2.x, whose APIs share no calls. Values are electrical: 1 is high.
// Every function that can fail returns a negative errno. None blocks for longer than its system calls; none is
// interrupted by a signal. A handle may be used by one thread at a time.

#include <stdbool.h>
#include <stdint.h>

// The size of the kernel's names, with their NUL.
#define CGPIOD_NAME_SIZE 32

enum cgpiod_bias { CGPIOD_BIAS_AS_IS, CGPIOD_BIAS_NONE, CGPIOD_BIAS_PULL_UP, CGPIOD_BIAS_PULL_DOWN };

struct cgpiod_chip_facts {
    char label[CGPIOD_NAME_SIZE]; // pinctrl-rp1
    unsigned int lines;
};

struct cgpiod_line_facts {
    char name[CGPIOD_NAME_SIZE];     // empty where the kernel gives none
    char consumer[CGPIOD_NAME_SIZE]; // who uses it; may be empty although it is used
    bool is_used;
};

struct cgpiod_event {
    int64_t timestamp_ns; // as the kernel stamped it: CLOCK_MONOTONIC from 5.7 on, CLOCK_REALTIME before
    uint32_t sequence;    // counts the request's edges from 1 on; 0 where the API does not count (1.x)
    bool is_rising;
};

struct cgpiod_chip;
struct cgpiod_line;

// A chip by its path. Needs the right to read and write the device.
int cgpiod_chip_open(const char *path, struct cgpiod_chip **chip);
void cgpiod_chip_close(struct cgpiod_chip *chip);
int cgpiod_read_chip(struct cgpiod_chip *chip, struct cgpiod_chip_facts *facts);
int cgpiod_read_line(struct cgpiod_chip *chip, unsigned int offset, struct cgpiod_line_facts *facts);

// A line, held until it is closed; it outlives the chip's handle. With edges, its descriptor is readable while
// events wait.
int cgpiod_request_input(const char *path, unsigned int offset, enum cgpiod_bias bias, bool with_edges,
                         const char *consumer, struct cgpiod_line **line);
int cgpiod_request_output(const char *path, unsigned int offset, bool is_high, const char *consumer,
                          struct cgpiod_line **line);
void cgpiod_line_close(struct cgpiod_line *line);

// 0, 1 or an error.
int cgpiod_get(struct cgpiod_line *line);
int cgpiod_set(struct cgpiod_line *line, bool is_high);

// The descriptor to poll, or an error for a line without edges. It belongs to the line.
int cgpiod_fd(struct cgpiod_line *line);
// How many events the kernel keeps: 16 with 1.x, which drops the newest when they are too many; 2.x drops the oldest.
int cgpiod_queue_size(struct cgpiod_line *line);
// Takes waiting events, oldest first, up to the queue's size: how many, 0 when none waits.
int cgpiod_read(struct cgpiod_line *line, struct cgpiod_event *events, int capacity);
