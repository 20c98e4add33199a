// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Our view of alsa-lib: one device that sound is read from, with the instants of the samples. Every function that can fail
// returns a negative errno; calsa_describe says what it means. A device may be used by one thread at a time.

#include <stddef.h>
#include <stdint.h>

struct calsa_device;

// What the code means and, where alsa-lib logged a reason on this thread since the last call, that reason.
void calsa_describe(int code, char *text, size_t size);
// alsa-lib's log goes to calsa_describe from now on, not to stderr.
void calsa_quiet(void);

// Opens an ALSA PCM by its name for capture, 16 bits a sample, and starts it. EBUSY: somebody else has it.
// `rate` (frames a second) and `channels` are wishes, and become what it delivers.
int calsa_open(const char *name, unsigned *rate, unsigned *channels, struct calsa_device **device);
// Waits for sound, but no longer than that, and reads up to so many frames.
// `at_ns`: when the first of them was captured, CLOCK_MONOTONIC.
// Returns how many frames; 0: none came. EPIPE: some were lost, and it was started anew. Else it is to be closed.
long calsa_read(struct calsa_device *device, int16_t *samples, unsigned long frames, int timeout_ms, int64_t *at_ns);
void calsa_close(struct calsa_device *device);
