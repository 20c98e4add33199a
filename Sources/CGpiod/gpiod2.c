// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// CGpiod over libgpiod 2.x, which speaks version 2 of the kernel's interface.

#include "version.h"

#if CGPIOD_HEADER_MAJOR == 2 && !CGPIOD_MIXED

#include "support.h"

// What is asked of the kernel, which allows up to 1024.
enum { QUEUE_SIZE = 256 };

struct cgpiod_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer; // with edges only
    unsigned int offset;
};

// Only ever a pointer to libgpiod's own.
static struct gpiod_chip *inner(struct cgpiod_chip *chip) { return (struct gpiod_chip *)chip; }

int cgpiod_chip_open(const char *path, struct cgpiod_chip **chip) {
    *chip = (struct cgpiod_chip *)gpiod_chip_open(path);
    return *chip ? 0 : cgpiod_failure();
}

void cgpiod_chip_close(struct cgpiod_chip *chip) { gpiod_chip_close(inner(chip)); }

int cgpiod_read_chip(struct cgpiod_chip *chip, struct cgpiod_chip_facts *facts) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(inner(chip));
    if (!info) return cgpiod_failure();
    cgpiod_copy_name(facts->label, gpiod_chip_info_get_label(info));
    facts->lines = (unsigned int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return 0;
}

int cgpiod_read_line(struct cgpiod_chip *chip, unsigned int offset, struct cgpiod_line_facts *facts) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(inner(chip), offset);
    if (!info) return cgpiod_failure();
    cgpiod_copy_name(facts->name, gpiod_line_info_get_name(info));
    cgpiod_copy_name(facts->consumer, gpiod_line_info_get_consumer(info));
    facts->is_used = gpiod_line_info_is_used(info);
    gpiod_line_info_free(info);
    return 0;
}

static int request(const char *path, unsigned int offset, struct gpiod_line_settings *settings, bool with_edges,
                   const char *consumer, struct cgpiod_line **result) {
    struct cgpiod_line *self = calloc(1, sizeof *self);
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    struct gpiod_chip *chip = NULL;
    int error = 0;
    if (!self || !lines || !config) {
        error = -ENOMEM;
    } else if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) < 0) {
        error = cgpiod_failure();
    } else if (with_edges && !(self->buffer = gpiod_edge_event_buffer_new(QUEUE_SIZE))) {
        error = -ENOMEM;
    } else if (!(chip = gpiod_chip_open(path))) {
        error = cgpiod_failure();
    } else {
        self->offset = offset;
        gpiod_request_config_set_consumer(config, consumer);
        if (with_edges) gpiod_request_config_set_event_buffer_size(config, QUEUE_SIZE);
        self->request = gpiod_chip_request_lines(chip, config, lines);
        if (!self->request) error = cgpiod_failure();
    }
    if (error == 0 && with_edges) error = cgpiod_make_nonblocking(gpiod_line_request_get_fd(self->request));
    if (chip) gpiod_chip_close(chip);
    if (lines) gpiod_line_config_free(lines);
    if (config) gpiod_request_config_free(config);
    if (error < 0) {
        if (self) cgpiod_line_close(self);
        return error;
    }
    *result = self;
    return 0;
}

static enum gpiod_line_bias translated(enum cgpiod_bias bias) {
    switch (bias) {
    case CGPIOD_BIAS_AS_IS: return GPIOD_LINE_BIAS_AS_IS;
    case CGPIOD_BIAS_NONE: return GPIOD_LINE_BIAS_DISABLED;
    case CGPIOD_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

int cgpiod_request_input(const char *path, unsigned int offset, enum cgpiod_bias bias, bool with_edges,
                         const char *consumer, struct cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return -ENOMEM;
    int error = 0;
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0
        || gpiod_line_settings_set_bias(settings, translated(bias)) < 0
        || (with_edges
            && (gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) < 0
                || gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0)))
        error = cgpiod_failure();
    if (error == 0) error = request(path, offset, settings, with_edges, consumer, line);
    gpiod_line_settings_free(settings);
    return error;
}

int cgpiod_request_output(const char *path, unsigned int offset, bool is_high, const char *consumer,
                          struct cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return -ENOMEM;
    int error = 0;
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) < 0
        || gpiod_line_settings_set_output_value(settings, is_high ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE) < 0)
        error = cgpiod_failure();
    if (error == 0) error = request(path, offset, settings, false, consumer, line);
    gpiod_line_settings_free(settings);
    return error;
}

void cgpiod_line_close(struct cgpiod_line *line) {
    if (line->request) gpiod_line_request_release(line->request);
    if (line->buffer) gpiod_edge_event_buffer_free(line->buffer);
    free(line);
}

int cgpiod_get(struct cgpiod_line *line) {
    // Not active-low: active is high.
    switch (gpiod_line_request_get_value(line->request, line->offset)) {
    case GPIOD_LINE_VALUE_ACTIVE: return 1;
    case GPIOD_LINE_VALUE_INACTIVE: return 0;
    case GPIOD_LINE_VALUE_ERROR: break;
    }
    return cgpiod_failure();
}

int cgpiod_set(struct cgpiod_line *line, bool is_high) {
    enum gpiod_line_value value = is_high ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    return gpiod_line_request_set_value(line->request, line->offset, value) < 0 ? cgpiod_failure() : 0;
}

int cgpiod_fd(struct cgpiod_line *line) {
    return line->buffer ? gpiod_line_request_get_fd(line->request) : -EINVAL;
}

int cgpiod_queue_size(struct cgpiod_line *line) {
    (void)line;
    return QUEUE_SIZE;
}

int cgpiod_read(struct cgpiod_line *line, struct cgpiod_event *events, int capacity) {
    if (capacity <= 0 || !line->buffer) return -EINVAL;
    if (capacity > QUEUE_SIZE) capacity = QUEUE_SIZE;
    int count;
    do {
        count = gpiod_line_request_read_edge_events(line->request, line->buffer, (size_t)capacity);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN ? 0 : cgpiod_failure();
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->buffer, (unsigned long)i);
        events[i] = (struct cgpiod_event){
            .timestamp_ns = (int64_t)gpiod_edge_event_get_timestamp_ns(event),
            .sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event),
            .is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
        };
    }
    return count;
}

#endif
