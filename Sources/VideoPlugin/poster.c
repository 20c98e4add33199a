// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

static int shrink(const AVFrame *frame, int box_width, int box_height, uint8_t **pixels, int *width, int *height) {
    int64_t wide = (int64_t)frame->width * box_height, high = (int64_t)frame->height * box_width;
    int target_width = wide > high ? box_width : (int)(wide / frame->height), target_height = wide > high ? (int)(high / frame->width) : box_height;
    target_width = FFMAX(2, FFMIN(target_width, frame->width) & ~1);
    target_height = FFMAX(2, FFMIN(target_height, frame->height) & ~1);
    struct SwsContext *scaler = video_scaler(frame->width, frame->height, frame->format, frame->color_range == AVCOL_RANGE_JPEG,
                                             frame->colorspace == AVCOL_SPC_BT709, target_width, target_height, true, SWS_AREA);
    uint8_t *memory = malloc((size_t)target_width * target_height * 3 / 2);
    if (!scaler || !memory) {
        sws_freeContext(scaler);
        free(memory);
        return AVERROR(ENOMEM);
    }
    uint8_t *planes[4] = {memory, memory + (size_t)target_width * target_height, NULL, NULL};
    planes[2] = planes[1] + (size_t)(target_width / 2) * (target_height / 2);
    int strides[4] = {target_width, target_width / 2, target_width / 2, 0};
    sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
    sws_freeContext(scaler);
    *pixels = memory;
    *width = target_width;
    *height = target_height;
    return 0;
}

static int decode(AVFormatContext *format, AVCodecContext *codec, AVPacket *packet, AVFrame *frame) {
    int code;
    while ((code = av_read_frame(format, packet)) >= 0) {
        code = packet->stream_index == 0 ? avcodec_send_packet(codec, packet) : 0;
        av_packet_unref(packet);
        if (code < 0) return code;
        code = avcodec_receive_frame(codec, frame);
        if (code != AVERROR(EAGAIN)) return code;
    }
    avcodec_send_packet(codec, NULL);
    return avcodec_receive_frame(codec, frame);
}

int video_first_picture(const char *path, int box_width, int box_height, uint8_t **pixels, int *width, int *height) {
    AVFormatContext *format = NULL;
    AVCodecContext *codec = NULL;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    int code = packet && frame ? avformat_open_input(&format, path, av_find_input_format("mp4"), NULL) : AVERROR(ENOMEM);
    if (code >= 0 && (!format->nb_streams || format->streams[0]->codecpar->codec_type != AVMEDIA_TYPE_VIDEO)) code = AVERROR_STREAM_NOT_FOUND;
    if (code >= 0) {
        const AVCodec *known = avcodec_find_decoder(format->streams[0]->codecpar->codec_id);
        codec = known ? avcodec_alloc_context3(known) : NULL;
        code = codec ? avcodec_parameters_to_context(codec, format->streams[0]->codecpar) : AVERROR_DECODER_NOT_FOUND;
        if (code >= 0) {
            codec->thread_count = 1;
            code = avcodec_open2(codec, known, NULL);
        }
    }
    if (code >= 0) code = decode(format, codec, packet, frame);
    if (code >= 0) code = shrink(frame, box_width, box_height, pixels, width, height);
    avcodec_free_context(&codec);
    avformat_close_input(&format);
    av_packet_free(&packet);
    av_frame_free(&frame);
    return code;
}
