// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// edge BUTTON LED [DEBOUNCE_US]: the least that a C program on libgpiod needs to answer a press with a light. LED follows
// BUTTON (both are offsets on /dev/gpiochip0, active low and active high): at once, or when the level has held for the
// debounce time.
#define _GNU_SOURCE
#include <errno.h>
#include <gpiod.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES

static struct gpiod_line *button, *led;

static int open_lines(unsigned button_offset, unsigned led_offset)
{
	struct gpiod_chip *chip = gpiod_chip_open("/dev/gpiochip0");
	if (!chip)
		return -1;
	button = gpiod_chip_get_line(chip, button_offset);
	led = gpiod_chip_get_line(chip, led_offset);
	if (!button || !led || gpiod_line_request_output(led, "edge", 0))
		return -1;
	return gpiod_line_request_both_edges_events_flags(
		button, "edge", GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP | GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW);
}
static int descriptor(void) { return gpiod_line_event_get_fd(button); }
static int read_edge(void)
{
	struct gpiod_line_event event;
	if (gpiod_line_event_read(button, &event))
		return -1;
	return event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
}
static void show(int value) { gpiod_line_set_value(led, value); }

#else

static struct gpiod_line_request *button, *led;
static struct gpiod_edge_event_buffer *events;
static unsigned led_line;

static struct gpiod_line_request *request(struct gpiod_chip *chip, unsigned offset, struct gpiod_line_settings *settings)
{
	struct gpiod_line_config *lines = gpiod_line_config_new();
	if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings))
		return NULL;
	return gpiod_chip_request_lines(chip, NULL, lines);
}
static int open_lines(unsigned button_offset, unsigned led_offset)
{
	struct gpiod_chip *chip = gpiod_chip_open("/dev/gpiochip0");
	if (!chip)
		return -1;
	struct gpiod_line_settings *settings = gpiod_line_settings_new();
	gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
	led = request(chip, led_offset, settings);
	gpiod_line_settings_reset(settings);
	gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
	gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
	gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP);
	gpiod_line_settings_set_active_low(settings, true);
	button = request(chip, button_offset, settings);
	events = gpiod_edge_event_buffer_new(1);
	led_line = led_offset;
	return button && led && events ? 0 : -1;
}
static int descriptor(void) { return gpiod_line_request_get_fd(button); }
static int read_edge(void)
{
	if (gpiod_line_request_read_edge_events(button, events, 1) != 1)
		return -1;
	struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(events, 0);
	return gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
}
static void show(int value) { gpiod_line_request_set_value(led, led_line, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE); }

#endif

int main(int count, char **words)
{
	if (count < 3 || open_lines(atoi(words[1]), atoi(words[2]))) {
		perror("edge");
		return 1;
	}
	long debounce = count > 3 ? atol(words[3]) * 1000 : 0;
	struct timespec time = {debounce / 1000000000, debounce % 1000000000};
	struct pollfd line = {descriptor(), POLLIN, 0};
	int level = 0, waits = 0;
	puts("ready");
	fflush(stdout);
	for (;;) {
		int ready = ppoll(&line, 1, waits ? &time : NULL, NULL);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready < 0)
			return 1;
		if (ready > 0) {
			level = read_edge();
			if (level < 0)
				return 1;
			waits = debounce > 0;
		} else {
			waits = 0;
		}
		if (!waits)
			show(level);
	}
}
