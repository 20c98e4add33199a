// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

#include <libswresample/swresample.h>

struct video_resampler {
    SwrContext *resampler;
    int from_rate;
};

int video_resampler_open(int from_rate, int from_channels, int rate, int channels, struct video_resampler **result) {
    struct video_resampler *self = calloc(1, sizeof *self);
    if (!self) return AVERROR(ENOMEM);
    self->from_rate = from_rate;
    AVChannelLayout from, to;
    av_channel_layout_default(&from, from_channels);
    av_channel_layout_default(&to, channels);
    int code = swr_alloc_set_opts2(&self->resampler, &to, AV_SAMPLE_FMT_S16, rate, &from, AV_SAMPLE_FMT_S16, from_rate, 0, NULL);
    // Also at the same rate: a sound card's clock is never quite right.
    if (code >= 0) code = av_opt_set_int(self->resampler, "flags", SWR_FLAG_RESAMPLE, 0);
    if (code >= 0) code = swr_init(self->resampler);
    if (code < 0) {
        video_resampler_close(self);
        return code;
    }
    *result = self;
    return 0;
}

int video_resampler_adjust(struct video_resampler *self, int more, int within) { return swr_set_compensation(self->resampler, more, within); }

int64_t video_resampler_delay_ns(struct video_resampler *self) { return swr_get_delay(self->resampler, 1000000000); }

int video_resampler_convert(struct video_resampler *self, const int16_t *samples, int frames, int16_t *out, int room) {
    const uint8_t *in[1] = {(const uint8_t *)samples};
    uint8_t *to[1] = {(uint8_t *)out};
    return swr_convert(self->resampler, to, room, in, frames);
}

void video_resampler_close(struct video_resampler *self) {
    swr_free(&self->resampler);
    free(self);
}

struct video_sound_encoder {
    AVCodecContext *codec;
    AVFrame *frame;
    AVPacket *packet;
    int64_t pts;
};

int video_sound_encoder_open(int rate, int channels, int64_t bitrate, struct video_sound_encoder **result) {
    const AVCodec *known = avcodec_find_encoder_by_name("aac");
    if (!known) return AVERROR_ENCODER_NOT_FOUND;
    struct video_sound_encoder *self = calloc(1, sizeof *self);
    if (!self) return AVERROR(ENOMEM);
    self->codec = avcodec_alloc_context3(known);
    self->frame = av_frame_alloc();
    self->packet = av_packet_alloc();
    int code = self->codec && self->frame && self->packet ? 0 : AVERROR(ENOMEM);
    if (code >= 0) {
        self->codec->sample_rate = rate;
        self->codec->sample_fmt = AV_SAMPLE_FMT_FLTP;
        self->codec->bit_rate = bitrate;
        self->codec->time_base = (AVRational){1, rate};
        self->codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        av_channel_layout_default(&self->codec->ch_layout, channels);
        // Half the work of the other one, and no different to hear at these rates.
        code = av_opt_set(self->codec->priv_data, "aac_coder", "fast", 0);
        if (code >= 0) code = avcodec_open2(self->codec, known, NULL);
    }
    if (code >= 0) {
        self->frame->format = AV_SAMPLE_FMT_FLTP;
        self->frame->nb_samples = self->codec->frame_size;
        self->frame->sample_rate = rate;
        code = av_channel_layout_copy(&self->frame->ch_layout, &self->codec->ch_layout);
        if (code >= 0) code = av_frame_get_buffer(self->frame, 0);
    }
    if (code < 0) {
        video_sound_encoder_close(self);
        return code;
    }
    *result = self;
    return 0;
}

int video_sound_encoder_frames(const struct video_sound_encoder *self) { return self->codec->frame_size; }

int video_sound_encoder_send(struct video_sound_encoder *self, const int16_t *samples) {
    if (!samples) return avcodec_send_frame(self->codec, NULL);
    int code = av_frame_make_writable(self->frame);
    if (code < 0) return code;
    int channels = self->codec->ch_layout.nb_channels;
    for (int channel = 0; channel < channels; channel++) {
        float *plane = (float *)self->frame->data[channel];
        for (int index = 0; index < self->frame->nb_samples; index++) plane[index] = samples[index * channels + channel] / 32768.0f;
    }
    self->frame->pts = self->pts;
    self->pts += self->frame->nb_samples;
    return avcodec_send_frame(self->codec, self->frame);
}

int video_sound_encoder_receive(struct video_sound_encoder *self, struct video_packet *packet) {
    int code = video_receive(self->codec, self->packet, packet);
    packet->is_key = true;
    return code;
}

void video_sound_encoder_header(const struct video_sound_encoder *self, const uint8_t **data, size_t *size) {
    *data = self->codec->extradata;
    *size = (size_t)self->codec->extradata_size;
}

void video_sound_encoder_close(struct video_sound_encoder *self) {
    avcodec_free_context(&self->codec);
    av_frame_free(&self->frame);
    av_packet_free(&self->packet);
    free(self);
}
