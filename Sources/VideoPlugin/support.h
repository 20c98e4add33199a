// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <CVideoPlugin.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

// All that the interface has. Each is declared here as it stands there, and defined under the name video_….
#define VIDEO_FUNCTIONS(X) \
    X(describe) X(wants_more) X(is_end) X(encoder_open) X(encoder_send) X(encoder_end) X(encoder_receive) X(encoder_header) \
    X(encoder_close) X(resampler_open) X(resampler_adjust) X(resampler_delay_ns) X(resampler_convert) X(resampler_close) \
    X(sound_encoder_open) X(sound_encoder_frames) X(sound_encoder_send) X(sound_encoder_receive) X(sound_encoder_header) \
    X(sound_encoder_close) X(muxer_open) X(muxer_write) X(muxer_flush) X(muxer_fetch) X(muxer_close) X(first_picture) \
    X(remux) X(digest)
#define DECLARE(name) __typeof__(*((struct shutter_video_plugin *)0)->name) video_##name;
VIDEO_FUNCTIONS(DECLARE)
#undef DECLARE

// FFmpeg's log goes to video_describe from now on, not to stderr.
void video_quiet(void);

static inline bool video_is_mjpeg(const struct video_form *video) { return !strcmp(video->encoder, "mjpeg"); }

// A scaler that also converts between full and limited range, and from BT.709 to BT.601; NULL when there is none.
struct SwsContext *video_scaler(int width, int height, enum AVPixelFormat format, bool is_full, bool is_rec709, int to_width, int to_height, bool to_full,
                                int flags);

// The next packet of an encoder, valid until the next call; a negative AVERROR when there is none.
int video_receive(AVCodecContext *codec, AVPacket *inside, struct video_packet *packet);

// Facts about a whole stream stand in its parameters since FFmpeg 6.1, which copies them with these.
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
#define VIDEO_COPIES_SIDE_DATA 1
static inline uint8_t *video_add_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
    AVCodecParameters *parameters = stream->codecpar;
    AVPacketSideData *added = av_packet_side_data_new(&parameters->coded_side_data, &parameters->nb_coded_side_data, type, size, 0);
    return added ? added->data : NULL;
}
#else
#define VIDEO_COPIES_SIDE_DATA 0
static inline uint8_t *video_add_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
    return av_stream_new_side_data(stream, type, size);
}
#endif

// What the picture's code values mean: BT.709, or BT.601 as libcamera's sYCC when they have full range, else as SMPTE 170M.
#define VIDEO_SET_COLOURS(target, is_full, is_rec709)                                                                      \
    do {                                                                                                                     \
        (target)->color_range = (is_full) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;                                             \
        (target)->color_primaries = (is_full) || (is_rec709) ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;                        \
        (target)->color_trc = (is_rec709) ? AVCOL_TRC_BT709 : (is_full) ? AVCOL_TRC_IEC61966_2_1 : AVCOL_TRC_SMPTE170M;      \
    } while (0)
#define VIDEO_SPACE(is_rec709) ((is_rec709) ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M)
