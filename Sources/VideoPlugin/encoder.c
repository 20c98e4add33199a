// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

struct video_encoder {
    AVCodecContext *codec;
    AVFrame *frame;
    AVPacket *packet;
    struct SwsContext *scaler;
    struct video_picture scaled; // what the scaler was made for
    uint8_t *last_rows;
    uint8_t *header;
    size_t header_size;
};

// As many as a narrow row's end needs behind it, and an even number for the planes of half height.
enum { PADDING = 64, LAST_ROWS = 16 };

static int configure(AVCodecContext *codec, const struct video_form *video) {
    bool is_full = video->is_full_range || video_is_mjpeg(video);
    codec->width = video->width;
    codec->height = video->height;
    codec->time_base = (AVRational){1, VIDEO_TICKS_PER_SECOND};
    codec->framerate = (AVRational){video->rate, 1};
    codec->bit_rate = video->bitrate;
    codec->thread_count = video->threads;
    codec->pix_fmt = video_is_mjpeg(video) ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;
    codec->colorspace = VIDEO_SPACE(video->is_rec709);
    VIDEO_SET_COLOURS(codec, is_full, video->is_rec709);
    codec->max_b_frames = 0;
    // Key frames are asked for one by one.
    codec->gop_size = 1 << 20;
    if (!strcmp(video->encoder, "libx264")) {
        codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        codec->rc_max_rate = video->bitrate;
        codec->rc_buffer_size = (int)FFMIN(video->bitrate, INT32_MAX);
        int code = av_opt_set(codec->priv_data, "preset", "superfast", 0);
        if (code >= 0) code = av_opt_set(codec->priv_data, "tune", "zerolatency", 0);
        if (code >= 0) code = av_opt_set(codec->priv_data, "forced-idr", "1", 0);
        if (code >= 0) code = av_opt_set(codec->priv_data, "sc_threshold", "0", 0);
        return code;
    }
    return 0;
}

int video_encoder_open(const struct video_form *video, struct video_encoder **result) {
    const AVCodec *known = avcodec_find_encoder_by_name(video->encoder);
    if (!known) return AVERROR_ENCODER_NOT_FOUND;
    struct video_encoder *self = calloc(1, sizeof *self);
    if (!self) return AVERROR(ENOMEM);
    self->codec = avcodec_alloc_context3(known);
    self->frame = av_frame_alloc();
    self->packet = av_packet_alloc();
    int code = self->codec && self->frame && self->packet ? 0 : AVERROR(ENOMEM);
    if (code >= 0) code = configure(self->codec, video);
    if (code >= 0) code = avcodec_open2(self->codec, known, NULL);
    if (code >= 0) {
        self->frame->format = self->codec->pix_fmt;
        self->frame->width = video->width;
        self->frame->height = video->height;
        self->frame->colorspace = self->codec->colorspace;
        VIDEO_SET_COLOURS(self->frame, self->codec->color_range == AVCOL_RANGE_JPEG, video->is_rec709);
        code = av_frame_get_buffer(self->frame, 0);
    }
    if (code < 0) {
        video_encoder_close(self);
        return code;
    }
    *result = self;
    return 0;
}

static enum AVPixelFormat pixel_format(enum video_format format) {
    switch (format) {
    case VIDEO_YUV420: return AV_PIX_FMT_YUV420P;
    case VIDEO_NV12: return AV_PIX_FMT_NV12;
    case VIDEO_RGB_BYTES: return AV_PIX_FMT_RGB24;
    case VIDEO_BGR_BYTES: return AV_PIX_FMT_BGR24;
    case VIDEO_BGRX_BYTES: return AV_PIX_FMT_BGR0;
    }
    return AV_PIX_FMT_NONE;
}

static const int pixel_bytes[] = {[VIDEO_YUV420] = 1, [VIDEO_NV12] = 1, [VIDEO_RGB_BYTES] = 3, [VIDEO_BGR_BYTES] = 3, [VIDEO_BGRX_BYTES] = 4};

// Cuts the picture to the aspect of the clip, at even places.
static struct video_picture crop(struct video_picture picture, int width, int height) {
    int64_t across = (int64_t)picture.width * height, down = (int64_t)picture.height * width;
    int wanted_width = across > down ? (int)(down / height) : picture.width;
    int wanted_height = down > across ? (int)(across / width) : picture.height;
    int left = (picture.width - wanted_width) / 4 * 2, top = (picture.height - wanted_height) / 4 * 2;
    picture.planes[0] += (ptrdiff_t)top * picture.strides[0] + left * pixel_bytes[picture.format];
    if (picture.planes[1]) picture.planes[1] += (ptrdiff_t)top / 2 * picture.strides[1] + (picture.format == VIDEO_NV12 ? left : left / 2);
    if (picture.planes[2]) picture.planes[2] += (ptrdiff_t)top / 2 * picture.strides[2] + left / 2;
    picture.width = wanted_width & ~1;
    picture.height = wanted_height & ~1;
    return picture;
}

static int make_scaler(struct video_encoder *self, const struct video_picture *picture) {
    const struct video_picture *last = &self->scaled;
    if (self->scaler && last->format == picture->format && last->width == picture->width && last->height == picture->height
        && last->is_full_range == picture->is_full_range) return 0;
    sws_freeContext(self->scaler);
    free(self->last_rows);
    self->last_rows = malloc(3 * (size_t)(LAST_ROWS * (4 * picture->width + PADDING)));
    bool is_full = picture->is_full_range || picture->format > VIDEO_NV12;
    // The matrix stays what it is.
    self->scaler = video_scaler(picture->width, picture->height, pixel_format(picture->format), is_full, false, self->codec->width,
                                self->codec->height, self->codec->color_range == AVCOL_RANGE_JPEG, SWS_BILINEAR | SWS_ACCURATE_RND);
    if (!self->scaler) return AVERROR(EINVAL);
    if (!self->last_rows) {
        sws_freeContext(self->scaler);
        self->scaler = NULL;
        return AVERROR(ENOMEM);
    }
    self->scaled = *picture;
    return 0;
}

// libswscale reads up to PADDING bytes behind a row's end, where a camera's memory may end, too. So it gets the last rows from a copy.
static void scale(struct video_encoder *self, const struct video_picture *picture) {
    const uint8_t *planes[4] = {picture->planes[0], picture->planes[1], picture->planes[2], NULL}, *last[4] = {NULL};
    int strides[4] = {picture->strides[0], picture->strides[1], picture->strides[2], 0}, last_strides[4] = {0};
    int height = picture->height > LAST_ROWS ? picture->height - LAST_ROWS : 0;
    uint8_t *copy = self->last_rows;
    for (int plane = 0; plane < 3 && planes[plane]; plane++) {
        int part = plane ? 2 : 1, bytes = picture->width * pixel_bytes[picture->format];
        if (plane && picture->format == VIDEO_YUV420) bytes /= 2;
        last[plane] = copy;
        last_strides[plane] = bytes + PADDING;
        av_image_copy_plane(copy, last_strides[plane], planes[plane] + (ptrdiff_t)(height / part) * strides[plane], strides[plane], bytes,
                            (picture->height - height) / part);
        copy += LAST_ROWS * last_strides[plane];
    }
    if (height) sws_scale(self->scaler, planes, strides, 0, height, self->frame->data, self->frame->linesize);
    sws_scale(self->scaler, last, last_strides, height, picture->height - height, self->frame->data, self->frame->linesize);
}

int video_encoder_send(struct video_encoder *self, const struct video_picture *whole, int64_t pts, bool is_key) {
    struct video_picture picture = crop(*whole, self->codec->width, self->codec->height);
    int code = av_frame_make_writable(self->frame);
    if (code < 0) return code;
    bool is_full = self->codec->color_range == AVCOL_RANGE_JPEG;
    if (picture.format == VIDEO_YUV420 && picture.width == self->codec->width && picture.height == self->codec->height
        && picture.is_full_range == is_full) {
        for (int plane = 0; plane < 3; plane++) {
            int part = plane ? 2 : 1;
            av_image_copy_plane(self->frame->data[plane], self->frame->linesize[plane], picture.planes[plane], picture.strides[plane],
                                picture.width / part, picture.height / part);
        }
    } else {
        code = make_scaler(self, &picture);
        if (code < 0) return code;
        scale(self, &picture);
    }
    self->frame->pts = pts;
    self->frame->pict_type = is_key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    return avcodec_send_frame(self->codec, self->frame);
}

int video_encoder_end(struct video_encoder *self) { return avcodec_send_frame(self->codec, NULL); }

// The parameter sets in a packet of H.264 with start codes, for encoders that tell them nowhere else.
static int keep_header(struct video_encoder *self) {
    const uint8_t *data = self->packet->data, *end = data + self->packet->size, *unit = NULL;
    for (const uint8_t *at = data; at + 3 <= end; at++) {
        bool is_start = at + 3 < end && !at[0] && !at[1] && at[2] == 1;
        if (!is_start && at + 3 < end) continue;
        const uint8_t *stop = is_start ? at : end;
        if (unit && ((unit[0] & 31) == 7 || (unit[0] & 31) == 8)) {
            size_t size = (size_t)(stop - unit);
            uint8_t *more = realloc(self->header, self->header_size + size + 4);
            if (!more) return AVERROR(ENOMEM);
            memcpy(more + self->header_size, "\0\0\0\1", 4);
            memcpy(more + self->header_size + 4, unit, size);
            self->header = more;
            self->header_size += size + 4;
        }
        if (is_start) unit = at + 3;
    }
    return 0;
}

int video_receive(AVCodecContext *codec, AVPacket *inside, struct video_packet *packet) {
    av_packet_unref(inside);
    int code = avcodec_receive_packet(codec, inside);
    if (code < 0) return code;
    packet->data = inside->data;
    packet->size = (size_t)inside->size;
    packet->pts = inside->pts;
    packet->is_key = inside->flags & AV_PKT_FLAG_KEY;
    return 0;
}

int video_encoder_receive(struct video_encoder *self, struct video_packet *packet) {
    int code = video_receive(self->codec, self->packet, packet);
    if (code < 0) return code;
    if (!self->codec->extradata_size && !self->header && packet->is_key && self->codec->codec_id == AV_CODEC_ID_H264) return keep_header(self);
    return 0;
}

void video_encoder_header(const struct video_encoder *self, const uint8_t **data, size_t *size) {
    *data = self->codec->extradata_size ? self->codec->extradata : self->header;
    *size = self->codec->extradata_size ? (size_t)self->codec->extradata_size : self->header_size;
}

void video_encoder_close(struct video_encoder *self) {
    avcodec_free_context(&self->codec);
    av_frame_free(&self->frame);
    av_packet_free(&self->packet);
    sws_freeContext(self->scaler);
    free(self->last_rows);
    free(self->header);
    free(self);
}
