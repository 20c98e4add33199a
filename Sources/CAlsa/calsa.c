// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "CAlsa.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct calsa_device {
    snd_pcm_t *pcm;
    snd_pcm_status_t *status;
    unsigned rate;
};

// Often enough for sound to be there when a fragment ends, and room for a thread that is held up.
enum { PERIOD_US = 40000, BUFFER_US = 1000000 };

// The last complaint of this thread.
static _Thread_local char words[256];

static void listen(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    words[strcspn(words, "\n")] = 0;
}

void calsa_quiet(void) { snd_lib_error_set_handler(listen); }

void calsa_describe(int code, char *text, size_t size) {
    if (*words) snprintf(text, size, "%s (%s)", snd_strerror(code), words);
    else snprintf(text, size, "%s", snd_strerror(code));
    *words = 0;
}

static int configure(struct calsa_device *self, unsigned *rate, unsigned *channels) {
    snd_pcm_hw_params_t *hardware = NULL;
    snd_pcm_sw_params_t *software = NULL;
    unsigned period_us = PERIOD_US, buffer_us = BUFFER_US;
    snd_pcm_uframes_t period = 0;
    int code = snd_pcm_hw_params_malloc(&hardware);
    if (code >= 0) code = snd_pcm_hw_params_any(self->pcm, hardware);
    if (code >= 0) code = snd_pcm_hw_params_set_access(self->pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED);
    if (code >= 0) code = snd_pcm_hw_params_set_format(self->pcm, hardware, SND_PCM_FORMAT_S16);
    // At its own rate: alsa-lib's conversion would come between the samples and their stamps.
    if (code >= 0) code = snd_pcm_hw_params_set_rate_resample(self->pcm, hardware, 0);
    if (code >= 0) code = snd_pcm_hw_params_set_channels_near(self->pcm, hardware, channels);
    if (code >= 0) code = snd_pcm_hw_params_set_rate_near(self->pcm, hardware, rate, NULL);
    if (code >= 0) code = snd_pcm_hw_params_set_buffer_time_near(self->pcm, hardware, &buffer_us, NULL);
    if (code >= 0) code = snd_pcm_hw_params_set_period_time_near(self->pcm, hardware, &period_us, NULL);
    if (code >= 0) code = snd_pcm_hw_params(self->pcm, hardware);
    if (code >= 0) code = snd_pcm_hw_params_get_period_size(hardware, &period, NULL);
    snd_pcm_hw_params_free(hardware);
    if (code >= 0) code = snd_pcm_sw_params_malloc(&software);
    if (code >= 0) code = snd_pcm_sw_params_current(self->pcm, software);
    if (code >= 0) code = snd_pcm_sw_params_set_avail_min(self->pcm, software, period);
    if (code >= 0) code = snd_pcm_sw_params_set_tstamp_mode(self->pcm, software, SND_PCM_TSTAMP_ENABLE);
    if (code >= 0) code = snd_pcm_sw_params_set_tstamp_type(self->pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC);
    if (code >= 0) code = snd_pcm_sw_params(self->pcm, software);
    snd_pcm_sw_params_free(software);
    self->rate = *rate;
    return code;
}

int calsa_open(const char *name, unsigned *rate, unsigned *channels, struct calsa_device **device) {
    struct calsa_device *self = calloc(1, sizeof *self);
    if (!self) return -ENOMEM;
    int code = snd_pcm_status_malloc(&self->status);
    // Without waiting for somebody else to let go of it.
    if (code >= 0) code = snd_pcm_open(&self->pcm, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK);
    if (code >= 0) code = configure(self, rate, channels);
    if (code >= 0) code = snd_pcm_start(self->pcm);
    if (code < 0) {
        calsa_close(self);
        return code;
    }
    *device = self;
    return 0;
}

static int64_t monotonic_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// How many frames can be read, and when the first of them was captured.
static int look(struct calsa_device *self, snd_pcm_uframes_t *available, int64_t *at_ns) {
    int64_t before, after;
    // A plug-in's stamp is the time of asking, so that must not have taken long.
    for (int tries = 0; tries < 4; tries++) {
        before = monotonic_ns();
        int code = snd_pcm_status(self->pcm, self->status);
        if (code < 0) return code;
        after = monotonic_ns();
        if (after - before < 1000000) break;
    }
    *available = snd_pcm_status_get_avail(self->status);
    // The frames on their way inside of the device as well.
    snd_pcm_sframes_t delay = snd_pcm_status_get_delay(self->status);
    if (delay < (snd_pcm_sframes_t)*available) delay = (snd_pcm_sframes_t)*available;
    snd_htimestamp_t stamp;
    snd_pcm_status_get_htstamp(self->status, &stamp);
    int64_t stamped = stamp.tv_sec * INT64_C(1000000000) + stamp.tv_nsec;
    // None, or one of another clock.
    if (stamped > after || stamped < before - INT64_C(2000) * BUFFER_US) stamped = before;
    *at_ns = stamped - delay * INT64_C(1000000000) / self->rate;
    return 0;
}

static long lost(struct calsa_device *self, int code) {
    // A suspended device may take its time to wake up (EAGAIN); starting anew does the same.
    if (code != -EPIPE && code != -ESTRPIPE) return code;
    code = snd_pcm_prepare(self->pcm);
    if (code >= 0) code = snd_pcm_start(self->pcm);
    return code < 0 ? code : -EPIPE;
}

long calsa_read(struct calsa_device *self, int16_t *samples, unsigned long frames, int timeout_ms, int64_t *at_ns) {
    int code = snd_pcm_wait(self->pcm, timeout_ms);
    if (code == 0) return 0;
    snd_pcm_uframes_t available = 0;
    if (code > 0) code = look(self, &available, at_ns);
    if (code < 0) return lost(self, code);
    if (snd_pcm_status_get_state(self->status) == SND_PCM_STATE_XRUN) return lost(self, -EPIPE);
    if (snd_pcm_status_get_state(self->status) == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
    snd_pcm_sframes_t count = snd_pcm_readi(self->pcm, samples, available < frames ? available : frames);
    if (count == -EAGAIN) return 0;
    return count < 0 ? lost(self, (int)count) : count;
}

void calsa_close(struct calsa_device *self) {
    if (self->pcm) snd_pcm_close(self->pcm);
    snd_pcm_status_free(self->status);
    free(self);
}
