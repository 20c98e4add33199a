// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

#include <libavutil/adler32.h>

static int open_input(const char *path, AVIOInterruptCB stop, AVFormatContext **input) {
    if (!(*input = avformat_alloc_context())) return AVERROR(ENOMEM);
    (*input)->interrupt_callback = stop;
    // On failure, the context is freed.
    return avformat_open_input(input, path, av_find_input_format("mp4"), NULL);
}

static int copy_streams(AVFormatContext *output, const AVFormatContext *input) {
    for (unsigned index = 0; index < input->nb_streams; index++) {
        const AVStream *from = input->streams[index];
        AVStream *to = avformat_new_stream(output, NULL);
        if (!to) return AVERROR(ENOMEM);
        int code = avcodec_parameters_copy(to->codecpar, from->codecpar);
        if (code < 0) return code;
#if !VIDEO_COPIES_SIDE_DATA
        for (int side = 0; side < from->nb_side_data; side++) {
            uint8_t *data = video_add_side_data(to, from->side_data[side].type, from->side_data[side].size);
            if (!data) return AVERROR(ENOMEM);
            memcpy(data, from->side_data[side].data, from->side_data[side].size);
        }
#endif
        to->codecpar->codec_tag = 0;
        to->time_base = from->time_base;
        to->avg_frame_rate = from->avg_frame_rate;
    }
    return av_dict_copy(&output->metadata, input->metadata, 0);
}

static int copy_packets(AVFormatContext *output, AVFormatContext *input, AVIOInterruptCB stop) {
    AVPacket *packet = av_packet_alloc();
    int code = packet ? 0 : AVERROR(ENOMEM);
    while (code >= 0 && (code = av_read_frame(input, packet)) >= 0) {
        if (stop.callback(stop.opaque)) code = AVERROR_EXIT;
        av_packet_rescale_ts(packet, input->streams[packet->stream_index]->time_base, output->streams[packet->stream_index]->time_base);
        packet->pos = -1;
        if (code >= 0) code = av_interleaved_write_frame(output, packet);
    }
    av_packet_free(&packet);
    return code == AVERROR_EOF ? 0 : code;
}

int video_remux(const char *from, const char *to, int (*is_over)(void *), void *context) {
    AVIOInterruptCB stop = {is_over, context};
    AVFormatContext *input = NULL, *output = NULL;
    AVDictionary *options = NULL;
    int code = open_input(from, stop, &input);
    if (code >= 0) code = avformat_alloc_output_context2(&output, NULL, "mp4", to);
    if (code >= 0) {
        output->interrupt_callback = stop;
        code = copy_streams(output, input);
    }
    if (code >= 0) code = avio_open2(&output->pb, to, AVIO_FLAG_WRITE, &stop, NULL);
    if (code >= 0) code = av_dict_set(&options, "movflags", "faststart", 0);
    // All tracks begin at 0; and an edit list counts milliseconds, which would cut the ends.
    if (code >= 0) code = av_dict_set(&options, "use_editlist", "0", 0);
    if (code >= 0) code = avformat_write_header(output, &options);
    if (code >= 0) {
        code = copy_packets(output, input, stop);
        int end = av_write_trailer(output);
        if (code >= 0) code = end;
    }
    if (output && output->pb) {
        int end = avio_closep(&output->pb);
        if (code >= 0) code = end;
    }
    av_dict_free(&options);
    avformat_free_context(output);
    avformat_close_input(&input);
    return code < 0 ? code : 0;
}

int video_digest(const char *path, int (*is_over)(void *), void *context, struct video_digest *digest) {
    AVIOInterruptCB stop = {is_over, context};
    AVFormatContext *input = NULL;
    AVPacket *packet = av_packet_alloc();
    memset(digest, 0, sizeof *digest);
    int code = packet ? open_input(path, stop, &input) : AVERROR(ENOMEM);
    if (code >= 0) digest->tracks = (int)input->nb_streams;
    if (code >= 0 && input->nb_streams > FF_ARRAY_ELEMS(digest->track)) code = AVERROR_INVALIDDATA;
    while (code >= 0 && (code = av_read_frame(input, packet)) >= 0) {
        struct video_track_digest *track = &digest->track[packet->stream_index];
        AVRational base = input->streams[packet->stream_index]->time_base;
        int64_t pts_us = av_rescale_q(packet->pts, base, (AVRational){1, 1000000});
        if (!track->packets) track->first_us = pts_us;
        track->packets++;
        track->keys += packet->flags & AV_PKT_FLAG_KEY ? 1 : 0;
        track->end_us = av_rescale_q(packet->pts + packet->duration, base, (AVRational){1, 1000000});
        track->sum = av_adler32_update(track->sum, packet->data, (size_t)packet->size);
        track->sum = av_adler32_update(track->sum, (const uint8_t *)&pts_us, sizeof pts_us);
        if (stop.callback(stop.opaque)) code = AVERROR_EXIT;
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    avformat_close_input(&input);
    return code == AVERROR_EOF ? 0 : code;
}
