// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// CGpiod over libgpiod 1.5 and 1.6, which speak version 1 of the kernel's interface.

#include "version.h"

#if CGPIOD_HEADER_MAJOR == 1 && !CGPIOD_MIXED

#include "support.h"

// Fixed in the kernel.
enum { QUEUE_SIZE = 16 };

// A line lives no longer than the chip it is of, so it has a chip of its own.
struct cgpiod_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

// Only ever a pointer to libgpiod's own.
static struct gpiod_chip *inner(struct cgpiod_chip *chip) { return (struct gpiod_chip *)chip; }

int cgpiod_chip_open(const char *path, struct cgpiod_chip **chip) {
    *chip = (struct cgpiod_chip *)gpiod_chip_open(path);
    return *chip ? 0 : cgpiod_failure();
}

void cgpiod_chip_close(struct cgpiod_chip *chip) { gpiod_chip_close(inner(chip)); }

int cgpiod_read_chip(struct cgpiod_chip *chip, struct cgpiod_chip_facts *facts) {
    cgpiod_copy_name(facts->label, gpiod_chip_label(inner(chip)));
    facts->lines = gpiod_chip_num_lines(inner(chip));
    return 0;
}

int cgpiod_read_line(struct cgpiod_chip *chip, unsigned int offset, struct cgpiod_line_facts *facts) {
    struct gpiod_line *line = gpiod_chip_get_line(inner(chip), offset);
    if (!line) return cgpiod_failure();
    cgpiod_copy_name(facts->name, gpiod_line_name(line));
    cgpiod_copy_name(facts->consumer, gpiod_line_consumer(line));
    facts->is_used = gpiod_line_is_used(line);
    return 0;
}

static int request(const char *path, unsigned int offset, const struct gpiod_line_request_config *config, int value,
                   struct cgpiod_line **result) {
    struct cgpiod_line *self = calloc(1, sizeof *self);
    if (!self) return -ENOMEM;
    int error = 0;
    self->chip = gpiod_chip_open(path);
    if (!self->chip) {
        error = cgpiod_failure();
    } else {
        self->line = gpiod_chip_get_line(self->chip, offset);
        if (!self->line || gpiod_line_request(self->line, config, value) < 0) error = cgpiod_failure();
    }
    if (error == 0 && config->request_type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES)
        error = cgpiod_make_nonblocking(gpiod_line_event_get_fd(self->line));
    if (error < 0) {
        cgpiod_line_close(self);
        return error;
    }
    *result = self;
    return 0;
}

int cgpiod_request_input(const char *path, unsigned int offset, enum cgpiod_bias bias, bool with_edges,
                         const char *consumer, struct cgpiod_line **line) {
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = with_edges ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES : GPIOD_LINE_REQUEST_DIRECTION_INPUT,
    };
    switch (bias) {
    case CGPIOD_BIAS_AS_IS: break;
    case CGPIOD_BIAS_NONE: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case CGPIOD_BIAS_PULL_UP: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case CGPIOD_BIAS_PULL_DOWN: config.flags = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
    }
    return request(path, offset, &config, 0, line);
}

int cgpiod_request_output(const char *path, unsigned int offset, bool is_high, const char *consumer,
                          struct cgpiod_line **line) {
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
    };
    return request(path, offset, &config, is_high, line);
}

void cgpiod_line_close(struct cgpiod_line *line) {
    if (line->chip) gpiod_chip_close(line->chip); // releases the line too
    free(line);
}

int cgpiod_get(struct cgpiod_line *line) {
    int value = gpiod_line_get_value(line->line);
    return value < 0 ? cgpiod_failure() : value;
}

int cgpiod_set(struct cgpiod_line *line, bool is_high) {
    return gpiod_line_set_value(line->line, is_high) < 0 ? cgpiod_failure() : 0;
}

int cgpiod_fd(struct cgpiod_line *line) {
    int fd = gpiod_line_event_get_fd(line->line);
    return fd < 0 ? cgpiod_failure() : fd;
}

int cgpiod_queue_size(struct cgpiod_line *line) {
    (void)line;
    return QUEUE_SIZE;
}

int cgpiod_read(struct cgpiod_line *line, struct cgpiod_event *events, int capacity) {
    struct gpiod_line_event taken[QUEUE_SIZE];
    if (capacity <= 0) return -EINVAL;
    if (capacity > QUEUE_SIZE) capacity = QUEUE_SIZE;
    int count;
    do {
        count = gpiod_line_event_read_multiple(line->line, taken, (unsigned int)capacity);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN ? 0 : cgpiod_failure();
    for (int i = 0; i < count; i++) {
        events[i] = (struct cgpiod_event){
            .timestamp_ns = (int64_t)taken[i].ts.tv_sec * 1000000000 + taken[i].ts.tv_nsec,
            .is_rising = taken[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
        };
    }
    return count;
}

#endif
