// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What shutterd and its video plugin say to each other: our view of FFmpeg, the same over 5.1 and 7.1. An encoder that takes
// pictures of a camera, one for sound, a writer of fragmented MP4 whose bytes are fetched, and the first picture of a clip.
//
// The plugin is a shared library of its own, loaded when video is first needed: FFmpeg brings along more than a hundred libraries,
// and more memory than all of shutterd takes, and photos need none of it.
//
// Every function that can fail returns a negative AVERROR; describe() says what it means. A handle may be used by one thread at
// a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Changes whenever anything below does; shutterd loads no other.
#define SHUTTER_VIDEO_PLUGIN_VERSION 2
// The one symbol of a plugin: `const struct shutter_video_plugin *shutter_video_plugin(void)`.
#define SHUTTER_VIDEO_PLUGIN_SYMBOL "shutter_video_plugin"

// Time stamps are counted in these, as is usual for video.
#define VIDEO_TICKS_PER_SECOND 90000

enum video_format { VIDEO_YUV420, VIDEO_NV12, VIDEO_RGB_BYTES, VIDEO_BGR_BYTES, VIDEO_BGRX_BYTES };

// A picture that stays where it is during the call.
struct video_picture {
    enum video_format format;
    int width, height;
    const uint8_t *planes[3];
    int strides[3];
    bool is_full_range;
};

// What the encoder is to be, or what the file is to say.
struct video_form {
    const char *encoder; // FFmpeg's name: libx264, h264_v4l2m2m, mjpeg
    int width, height;   // even
    int rate;            // frames a second, nominal
    int64_t bitrate;     // bits a second
    int threads;
    bool is_full_range;
    bool is_rec709;  // the matrix of the pictures, else BT.601's, as JPEG has it
    int orientation; // how players are to turn it: EXIF's 1 to 8
};

struct video_packet {
    const uint8_t *data; // until the next call
    size_t size;
    int64_t pts;
    bool is_key;
};

struct video_encoder;
struct video_resampler;
struct video_sound_encoder;
struct video_muxer;

// What one track of the file is to say about itself.
struct video_header {
    const uint8_t *data;
    size_t size;
};
struct video_sound {
    int rate, channels;
    int64_t bitrate;
    struct video_header header;
};
enum video_track { VIDEO_PICTURES, VIDEO_SOUND };

// What is in a clip, but for how it is laid out. Two with the same digest show and sound the same.
struct video_track_digest {
    int64_t packets, keys;
    int64_t first_us, end_us;
    uint32_t sum; // of all bytes and times
};
struct video_digest {
    int tracks;
    struct video_track_digest track[2];
};

struct shutter_video_plugin {
    uint32_t version; // SHUTTER_VIDEO_PLUGIN_VERSION
    uint32_t size;    // of this struct, bytes

    // What the code means and, where FFmpeg logged a reason on this thread since the last call, that reason.
    void (*describe)(int code, char *text, size_t size);
    // Whether the code only says that more has to be put in first (EAGAIN), or that the end is reached.
    bool (*wants_more)(int code);
    bool (*is_end)(int code);

    int (*encoder_open)(const struct video_form *video, struct video_encoder **encoder);
    // Scales, crops to the aspect and converts as needed; the picture may go afterwards.
    int (*encoder_send)(struct video_encoder *encoder, const struct video_picture *picture, int64_t pts, bool is_key);
    // No more pictures come: what is inside comes out.
    int (*encoder_end)(struct video_encoder *encoder);
    // Wants more or is at its end: see above.
    int (*encoder_receive)(struct video_encoder *encoder, struct video_packet *packet);
    // Parameter sets, for the muxer. Empty before the first packet with encoders that only tell them there, and with MJPEG.
    void (*encoder_header)(const struct video_encoder *encoder, const uint8_t **data, size_t *size);
    void (*encoder_close)(struct video_encoder *encoder);

    // Sound: 16 bits a sample, channels interleaved; a frame is one sample of each channel.
    int (*resampler_open)(int from_rate, int from_channels, int rate, int channels, struct video_resampler **resampler);
    // Adds so many frames (or leaves some out) in the course of the next `within` ones.
    int (*resampler_adjust)(struct video_resampler *resampler, int more, int within);
    // How much sound is inside.
    int64_t (*resampler_delay_ns)(struct video_resampler *resampler);
    // Returns how many frames came out. What has no `room` stays inside.
    int (*resampler_convert)(struct video_resampler *resampler, const int16_t *samples, int frames, int16_t *out, int room);
    void (*resampler_close)(struct video_resampler *resampler);

    // AAC.
    int (*sound_encoder_open)(int rate, int channels, int64_t bitrate, struct video_sound_encoder **encoder);
    // How many frames each call of `send` takes.
    int (*sound_encoder_frames)(const struct video_sound_encoder *encoder);
    // NULL: no more come, and what is inside comes out.
    int (*sound_encoder_send)(struct video_sound_encoder *encoder, const int16_t *samples);
    // Wants more or is at its end: see above. `pts` counts frames, from the first sent; what comes before 0 is the encoder's
    // own start, and no sound.
    int (*sound_encoder_receive)(struct video_sound_encoder *encoder, struct video_packet *packet);
    // For the muxer.
    void (*sound_encoder_header)(const struct video_sound_encoder *encoder, const uint8_t **data, size_t *size);
    void (*sound_encoder_close)(struct video_sound_encoder *encoder);

    // The file's head stands ready to be fetched. `sound`: NULL: there is none. `wall_us`: microseconds since 1970, or 0.
    int (*muxer_open)(const struct video_form *video, struct video_header header, const struct video_sound *sound, int64_t wall_us,
                 struct video_muxer **muxer);
    // Times of pictures count ticks, those of sound frames. The tracks may be written one after the other.
    int (*muxer_write)(struct video_muxer *muxer, enum video_track track, const uint8_t *data, size_t size, int64_t pts, int64_t duration,
                 bool is_key);
    // Ends the fragment.
    int (*muxer_flush)(struct video_muxer *muxer);
    // All bytes since the last call; valid until the next call of any kind.
    void (*muxer_fetch)(struct video_muxer *muxer, const uint8_t **data, size_t *size);
    void (*muxer_close)(struct video_muxer *muxer);

    // The first picture of a clip, made to fit a box: full-range YUV 4:2:0, planes one after the other without padding.
    // `pixels` is to be freed with free(3).
    int (*first_picture)(const char *path, int box_width, int box_height, uint8_t **pixels, int *width, int *height);

    // Copies a clip into a plain MP4 whose index stands in front. `is_over` is asked between packets and reads: other than 0, it is
    // given up, whatever is returned. The file is not synced.
    int (*remux)(const char *from, const char *to, int (*is_over)(void *), void *context);
    int (*digest)(const char *path, int (*is_over)(void *), void *context, struct video_digest *digest);
};
