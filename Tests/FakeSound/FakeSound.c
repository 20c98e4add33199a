// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// A sound card without a card: an I/O plug-in of alsa-lib, so that all of alsa-lib stands between it and the program.
// In its configuration:
//
//     pcm_type.fake { lib "/where/libshutter-sound-fake.so" }
//     pcm.fake { type fake  ppm 300  gone_after_ms 3000 }
//
// It hears a beep of 1 kHz and 50 ms at every full second of CLOCK_MONOTONIC, and quiet noise in between.
//   rate, channels: what it delivers (48000, 2)
//   ppm: how much faster its clock runs
//   gone_after_ms: pulled out so long after it was started, each time
//   stall_at_ms: at this time it delivers nothing for two seconds, and all that was heard meanwhile is lost
//   busy: 1: somebody else has it
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

struct fake {
    snd_pcm_ioplug_t io;
    long rate, channels, ppm, gone_after_ms, stall_at_ms;
    int64_t started;
    // Frames that were handed out.
    int64_t taken;
    int has_stalled;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

// Frames a second, by the right clock.
static double true_rate(const struct fake *self) { return self->rate * (1 + self->ppm / 1e6); }

static int fake_start(snd_pcm_ioplug_t *io) {
    struct fake *self = io->private_data;
    self->started = now();
    self->taken = 0;
    // Often enough for any period.
    struct itimerspec timer = {{0, 10000000}, {0, 10000000}};
    return timerfd_settime(io->poll_fd, 0, &timer, NULL) < 0 ? -errno : 0;
}

static int fake_stop(snd_pcm_ioplug_t *io) {
    struct itimerspec none = {{0, 0}, {0, 0}};
    return timerfd_settime(io->poll_fd, 0, &none, NULL) < 0 ? -errno : 0;
}

static snd_pcm_sframes_t fake_pointer(snd_pcm_ioplug_t *io) {
    struct fake *self = io->private_data;
    uint64_t count;
    (void)!read(io->poll_fd, &count, sizeof count);
    int64_t since = now() - self->started;
    int64_t heard = (int64_t)(since / 1e9 * true_rate(self));
    if (self->stall_at_ms && !self->has_stalled && since > self->stall_at_ms * 1000000) {
        if (since < self->stall_at_ms * 1000000 + 2 * SECOND) heard = (int64_t)(self->stall_at_ms / 1e3 * true_rate(self));
        else self->has_stalled = 1;
    }
    if (self->gone_after_ms && since > self->gone_after_ms * 1000000) {
        // What a negative result means to alsa-lib is an overrun.
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
        heard = self->taken;
    }
    if (heard - self->taken > (int64_t)io->buffer_size) return -EPIPE;
    return heard % (int64_t)io->buffer_size;
}

static snd_pcm_sframes_t fake_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct fake *self = io->private_data;
    for (snd_pcm_uframes_t frame = 0; frame < size; frame++) {
        double at = self->started / 1e9 + (self->taken + (int64_t)frame) / true_rate(self);
        double in_second = at - floor(at);
        double value = in_second < 0.05 ? 0.5 * sin(2 * M_PI * 1000 * in_second) : 0.002 * (rand() / (double)RAND_MAX - 0.5);
        for (unsigned channel = 0; channel < io->channels; channel++) {
            char *start = (char *)areas[channel].addr + (areas[channel].first + (offset + frame) * areas[channel].step) / 8;
            *(int16_t *)start = (int16_t)(value * 32767);
        }
    }
    self->taken += (int64_t)size;
    return (snd_pcm_sframes_t)size;
}

static int fake_close(snd_pcm_ioplug_t *io) {
    close(io->poll_fd);
    free(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = fake_start, .stop = fake_stop, .pointer = fake_pointer, .transfer = fake_transfer, .close = fake_close,
};

static long number(snd_config_t *configuration, const char *name, long otherwise) {
    snd_config_t *node;
    long value;
    return snd_config_search(configuration, name, &node) >= 0 && snd_config_get_integer(node, &value) >= 0 ? value : otherwise;
}

SND_PCM_PLUGIN_DEFINE_FUNC(fake) {
    (void)root;
    if (stream != SND_PCM_STREAM_CAPTURE) return -EINVAL;
    if (number(conf, "busy", 0)) return -EBUSY;
    struct fake *self = calloc(1, sizeof *self);
    if (!self) return -ENOMEM;
    self->rate = number(conf, "rate", 48000);
    self->channels = number(conf, "channels", 2);
    self->ppm = number(conf, "ppm", 0);
    self->gone_after_ms = number(conf, "gone_after_ms", 0);
    self->stall_at_ms = number(conf, "stall_at_ms", 0);
    self->io.version = SND_PCM_IOPLUG_VERSION;
    self->io.name = "a sound card of tests";
    self->io.callback = &callbacks;
    self->io.private_data = self;
    self->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    self->io.poll_events = POLLIN;
    int code = snd_pcm_ioplug_create(&self->io, name, stream, mode);
    if (code < 0) {
        close(self->io.poll_fd);
        free(self);
        return code;
    }
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED}, formats[] = {SND_PCM_FORMAT_S16};
    snd_pcm_ioplug_set_param_list(&self->io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
    snd_pcm_ioplug_set_param_list(&self->io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    snd_pcm_ioplug_set_param_minmax(&self->io, SND_PCM_IOPLUG_HW_CHANNELS, (unsigned)self->channels, (unsigned)self->channels);
    snd_pcm_ioplug_set_param_minmax(&self->io, SND_PCM_IOPLUG_HW_RATE, (unsigned)self->rate, (unsigned)self->rate);
    snd_pcm_ioplug_set_param_minmax(&self->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 1024, 1 << 17);
    snd_pcm_ioplug_set_param_minmax(&self->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 4096, 1 << 20);
    *pcmp = self->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(fake);
