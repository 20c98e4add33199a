// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CFFmpeg.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

static inline bool cffmpeg_is_mjpeg(const struct cffmpeg_video *video) { return !strcmp(video->encoder, "mjpeg"); }

// A scaler that also converts between full and limited range, and from BT.709 to BT.601; NULL when there is none.
struct SwsContext *cffmpeg_scaler(int width, int height, enum AVPixelFormat format, bool is_full, bool is_rec709, int to_width, int to_height, bool to_full,
                                  int flags);

// The next packet of an encoder, valid until the next call; a negative AVERROR when there is none.
int cffmpeg_receive(AVCodecContext *codec, AVPacket *inside, struct cffmpeg_packet *packet);

// What the picture's code values mean: BT.709, or BT.601 as libcamera's sYCC when they have full range, else as SMPTE 170M.
#define CFFMPEG_SET_COLOURS(target, is_full, is_rec709)                                                                      \
    do {                                                                                                                     \
        (target)->color_range = (is_full) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;                                             \
        (target)->color_primaries = (is_full) || (is_rec709) ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;                        \
        (target)->color_trc = (is_rec709) ? AVCOL_TRC_BT709 : (is_full) ? AVCOL_TRC_IEC61966_2_1 : AVCOL_TRC_SMPTE170M;      \
    } while (0)
#define CFFMPEG_SPACE(is_rec709) ((is_rec709) ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M)
