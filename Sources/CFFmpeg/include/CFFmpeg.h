// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Our view of FFmpeg, the same over 5.1 and 7.1: an encoder that takes pictures of a camera, one for sound, a writer of
// fragmented MP4 whose bytes are fetched, and the first picture of a clip. Every function that can fail returns a negative AVERROR;
// cffmpeg_describe says what it means. A handle may be used by one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Time stamps are counted in these, as is usual for video.
#define CFFMPEG_TICKS_PER_SECOND 90000

// What the code means and, where FFmpeg logged a reason on this thread since the last call, that reason.
void cffmpeg_describe(int code, char *text, size_t size);
// Whether the code only says that more has to be put in first (EAGAIN), or that the end is reached.
bool cffmpeg_wants_more(int code);
bool cffmpeg_is_end(int code);
// FFmpeg's log goes to cffmpeg_describe from now on, not to stderr.
void cffmpeg_quiet(void);

enum cffmpeg_format { CFFMPEG_YUV420, CFFMPEG_NV12, CFFMPEG_RGB_BYTES, CFFMPEG_BGR_BYTES, CFFMPEG_BGRX_BYTES };

// A picture that stays where it is during the call.
struct cffmpeg_picture {
    enum cffmpeg_format format;
    int width, height;
    const uint8_t *planes[3];
    int strides[3];
    bool is_full_range;
};

// What the encoder is to be, or what the file is to say.
struct cffmpeg_video {
    const char *encoder; // FFmpeg's name: libx264, h264_v4l2m2m, mjpeg
    int width, height;   // even
    int rate;            // frames a second, nominal
    int64_t bitrate;     // bits a second
    int threads;
    bool is_full_range;
    bool is_rec709; // the matrix of the pictures, else BT.601's, as JPEG has it
};

struct cffmpeg_packet {
    const uint8_t *data; // until the next call
    size_t size;
    int64_t pts;
    bool is_key;
};

struct cffmpeg_encoder;

int cffmpeg_encoder_open(const struct cffmpeg_video *video, struct cffmpeg_encoder **encoder);
// Scales, crops to the aspect and converts as needed; the picture may go afterwards.
int cffmpeg_encoder_send(struct cffmpeg_encoder *encoder, const struct cffmpeg_picture *picture, int64_t pts, bool is_key);
// No more pictures come: what is inside comes out.
int cffmpeg_encoder_end(struct cffmpeg_encoder *encoder);
// Wants more or is at its end: see above.
int cffmpeg_encoder_receive(struct cffmpeg_encoder *encoder, struct cffmpeg_packet *packet);
// Parameter sets, for the muxer. Empty before the first packet with encoders that only tell them there, and with MJPEG.
void cffmpeg_encoder_header(const struct cffmpeg_encoder *encoder, const uint8_t **data, size_t *size);
void cffmpeg_encoder_close(struct cffmpeg_encoder *encoder);

// Sound: 16 bits a sample, channels interleaved; a frame is one sample of each channel.

struct cffmpeg_resampler;

int cffmpeg_resampler_open(int from_rate, int from_channels, int rate, int channels, struct cffmpeg_resampler **resampler);
// Adds so many frames (or leaves some out) in the course of the next `within` ones.
int cffmpeg_resampler_adjust(struct cffmpeg_resampler *resampler, int more, int within);
// How much sound is inside.
int64_t cffmpeg_resampler_delay_ns(struct cffmpeg_resampler *resampler);
// Returns how many frames came out. What has no `room` stays inside.
int cffmpeg_resampler_convert(struct cffmpeg_resampler *resampler, const int16_t *samples, int frames, int16_t *out, int room);
void cffmpeg_resampler_close(struct cffmpeg_resampler *resampler);

struct cffmpeg_sound_encoder;

// AAC.
int cffmpeg_sound_encoder_open(int rate, int channels, int64_t bitrate, struct cffmpeg_sound_encoder **encoder);
// How many frames each call of `send` takes.
int cffmpeg_sound_encoder_frames(const struct cffmpeg_sound_encoder *encoder);
// NULL: no more come, and what is inside comes out.
int cffmpeg_sound_encoder_send(struct cffmpeg_sound_encoder *encoder, const int16_t *samples);
// Wants more or is at its end: see above. `pts` counts frames, from the first sent; what comes before 0 is the encoder's
// own start, and no sound.
int cffmpeg_sound_encoder_receive(struct cffmpeg_sound_encoder *encoder, struct cffmpeg_packet *packet);
// For the muxer.
void cffmpeg_sound_encoder_header(const struct cffmpeg_sound_encoder *encoder, const uint8_t **data, size_t *size);
void cffmpeg_sound_encoder_close(struct cffmpeg_sound_encoder *encoder);

struct cffmpeg_muxer;

// What one track of the file is to say about itself.
struct cffmpeg_header {
    const uint8_t *data;
    size_t size;
};
struct cffmpeg_sound {
    int rate, channels;
    int64_t bitrate;
    struct cffmpeg_header header;
};
enum cffmpeg_track { CFFMPEG_PICTURES, CFFMPEG_SOUND };

// The file's head stands ready to be fetched. `sound`: NULL: there is none. `wall_us`: microseconds since 1970, or 0.
int cffmpeg_muxer_open(const struct cffmpeg_video *video, struct cffmpeg_header header, const struct cffmpeg_sound *sound, int64_t wall_us,
                       struct cffmpeg_muxer **muxer);
// Times of pictures count ticks, those of sound frames. The tracks may be written one after the other.
int cffmpeg_muxer_write(struct cffmpeg_muxer *muxer, enum cffmpeg_track track, const uint8_t *data, size_t size, int64_t pts, int64_t duration,
                        bool is_key);
// Ends the fragment.
int cffmpeg_muxer_flush(struct cffmpeg_muxer *muxer);
// All bytes since the last call; valid until the next call of any kind.
void cffmpeg_muxer_fetch(struct cffmpeg_muxer *muxer, const uint8_t **data, size_t *size);
void cffmpeg_muxer_close(struct cffmpeg_muxer *muxer);

// The first picture of a clip, made to fit a box: full-range YUV 4:2:0, planes one after the other without padding.
// `pixels` is to be freed with free(3).
int cffmpeg_first_picture(const char *path, int box_width, int box_height, uint8_t **pixels, int *width, int *height);

// Copies a clip into a plain MP4 whose index stands in front. `is_over` is asked between packets and reads: other than 0, it is given
// up, whatever is returned. The file is not synced.
int cffmpeg_remux(const char *from, const char *to, int (*is_over)(void *), void *context);

// What is in a clip, but for how it is laid out. Two with the same digest show and sound the same.
struct cffmpeg_track_digest {
    int64_t packets, keys;
    int64_t first_us, end_us;
    uint32_t sum; // of all bytes and times
};
struct cffmpeg_digest {
    int tracks;
    struct cffmpeg_track_digest track[2];
};
int cffmpeg_digest(const char *path, int (*is_over)(void *), void *context, struct cffmpeg_digest *digest);
