// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

#include <time.h>

struct video_muxer {
    AVFormatContext *format;
    AVPacket *packet;
    uint8_t *bytes; // not fetched yet
    size_t size, room;
    bool is_fetched, is_begun;
    int sound_rate;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int take(void *opaque, written_byte *bytes, int count) {
    struct video_muxer *self = opaque;
    if (self->is_fetched) self->size = 0;
    self->is_fetched = false;
    if (self->size + (size_t)count > self->room) {
        size_t room = (self->size + (size_t)count) * 2;
        uint8_t *more = realloc(self->bytes, room);
        if (!more) return AVERROR(ENOMEM);
        self->bytes = more;
        self->room = room;
    }
    memcpy(self->bytes + self->size, bytes, (size_t)count);
    self->size += (size_t)count;
    return count;
}

static int keep_header(AVCodecParameters *parameters, struct video_header header) {
    if (!header.size) return 0;
    parameters->extradata = av_mallocz(header.size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!parameters->extradata) return AVERROR(ENOMEM);
    memcpy(parameters->extradata, header.data, header.size);
    parameters->extradata_size = (int)header.size;
    return 0;
}

// As the matrix of ISO/IEC 14496-12, tkhd: rows (a b u), (c d v), (x y w) in 16.16, u, v and w in 2.30.
static int turn(AVStream *stream, const struct video_form *video) {
    static const struct { int8_t a, b, c, d; } turns[9] = {
        [2] = {-1, 0, 0, 1}, [3] = {-1, 0, 0, -1}, [4] = {1, 0, 0, -1}, [5] = {0, 1, 1, 0}, [6] = {0, 1, -1, 0}, [7] = {0, -1, -1, 0}, [8] = {0, -1, 1, 0}};
    if (video->orientation < 2 || video->orientation > 8) return 0;
    int a = turns[video->orientation].a, b = turns[video->orientation].b, c = turns[video->orientation].c, d = turns[video->orientation].d;
    // Turned about its corner, the picture is moved back to where coordinates begin.
    int x = (a < 0 ? video->width : 0) + (c < 0 ? video->height : 0), y = (b < 0 ? video->width : 0) + (d < 0 ? video->height : 0);
    const int32_t matrix[9] = {a * 65536, b * 65536, 0, c * 65536, d * 65536, 0, x * 65536, y * 65536, 1 << 30};
    uint8_t *data = video_add_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, sizeof matrix);
    if (!data) return AVERROR(ENOMEM);
    memcpy(data, matrix, sizeof matrix);
    return 0;
}

static int describe(AVFormatContext *format, const struct video_form *video, struct video_header header) {
    AVStream *stream = avformat_new_stream(format, NULL);
    if (!stream) return AVERROR(ENOMEM);
    AVCodecParameters *parameters = stream->codecpar;
    parameters->codec_type = AVMEDIA_TYPE_VIDEO;
    parameters->codec_id = video_is_mjpeg(video) ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_H264;
    parameters->width = video->width;
    parameters->height = video->height;
    parameters->bit_rate = video->bitrate;
    parameters->color_space = VIDEO_SPACE(video->is_rec709);
    VIDEO_SET_COLOURS(parameters, video->is_full_range || video_is_mjpeg(video), video->is_rec709);
    stream->time_base = (AVRational){1, VIDEO_TICKS_PER_SECOND};
    stream->avg_frame_rate = (AVRational){video->rate, 1};
    int code = turn(stream, video);
    return code < 0 ? code : keep_header(parameters, header);
}

static int describe_sound(AVFormatContext *format, const struct video_sound *sound) {
    AVStream *stream = avformat_new_stream(format, NULL);
    if (!stream) return AVERROR(ENOMEM);
    AVCodecParameters *parameters = stream->codecpar;
    parameters->codec_type = AVMEDIA_TYPE_AUDIO;
    parameters->codec_id = AV_CODEC_ID_AAC;
    parameters->sample_rate = sound->rate;
    parameters->frame_size = 1024;
    parameters->bit_rate = sound->bitrate;
    av_channel_layout_default(&parameters->ch_layout, sound->channels);
    stream->time_base = (AVRational){1, sound->rate};
    return keep_header(parameters, sound->header);
}

static int start(struct video_muxer *self, int64_t wall_us) {
    AVDictionary *options = NULL;
    // An index at the end would grow with the clip. Ends of fragments are ours to say, and so are the times of each track.
    int code = av_dict_set(&options, "movflags", "frag_custom+empty_moov+default_base_moof+skip_trailer+frag_discont", 0);
    if (code >= 0) code = av_dict_set(&options, "use_editlist", "0", 0);
    if (code >= 0 && wall_us > 0) {
        char text[32];
        time_t seconds = wall_us / 1000000;
        struct tm parts;
        if (gmtime_r(&seconds, &parts) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
            code = av_dict_set(&self->format->metadata, "creation_time", text, 0);
    }
    if (code >= 0) code = avformat_write_header(self->format, &options);
    av_dict_free(&options);
    for (unsigned index = 0; index < self->format->nb_streams && code >= 0; index++)
        if (self->format->streams[index]->time_base.den != (index == VIDEO_SOUND ? self->sound_rate : VIDEO_TICKS_PER_SECOND)) code = AVERROR_BUG;
    self->is_begun = code >= 0;
    avio_flush(self->format->pb);
    return code < 0 ? code : 0;
}

int video_muxer_open(const struct video_form *video, struct video_header header, const struct video_sound *sound, int64_t wall_us,
                     struct video_muxer **result) {
    struct video_muxer *self = calloc(1, sizeof *self);
    if (!self) return AVERROR(ENOMEM);
    self->packet = av_packet_alloc();
    int code = self->packet ? avformat_alloc_output_context2(&self->format, NULL, "mp4", NULL) : AVERROR(ENOMEM);
    if (code >= 0) {
        enum { BLOCK = 1 << 16 };
        uint8_t *block = av_malloc(BLOCK);
        self->format->pb = block ? avio_alloc_context(block, BLOCK, 1, self, NULL, take, NULL) : NULL;
        if (!self->format->pb) {
            av_free(block);
            code = AVERROR(ENOMEM);
        } else {
            self->format->pb->seekable = 0;
            self->format->flags |= AVFMT_FLAG_CUSTOM_IO;
        }
    }
    if (code >= 0) code = describe(self->format, video, header);
    if (sound) self->sound_rate = sound->rate;
    if (code >= 0 && sound) code = describe_sound(self->format, sound);
    if (code >= 0) code = start(self, wall_us);
    if (code < 0) {
        video_muxer_close(self);
        return code;
    }
    *result = self;
    return 0;
}

int video_muxer_write(struct video_muxer *self, enum video_track track, const uint8_t *data, size_t size, int64_t pts, int64_t duration,
                      bool is_key) {
    av_packet_unref(self->packet);
    self->packet->stream_index = (int)track;
    self->packet->data = (uint8_t *)data; // read only, and copied by the muxer
    self->packet->size = (int)size;
    self->packet->pts = self->packet->dts = pts;
    self->packet->duration = duration;
    self->packet->flags = is_key ? AV_PKT_FLAG_KEY : 0;
    int code = av_write_frame(self->format, self->packet);
    return code < 0 ? code : 0;
}

int video_muxer_flush(struct video_muxer *self) {
    int code = av_write_frame(self->format, NULL);
    avio_flush(self->format->pb);
    return code < 0 ? code : self->format->pb->error < 0 ? self->format->pb->error : 0;
}

void video_muxer_fetch(struct video_muxer *self, const uint8_t **data, size_t *size) {
    *data = self->bytes;
    *size = self->is_fetched ? 0 : self->size;
    self->is_fetched = true;
}

void video_muxer_close(struct video_muxer *self) {
    if (self->format) {
        // Frees what the muxer has inside; the trailer's bytes are none, and go nowhere.
        if (self->is_begun) av_write_trailer(self->format);
        if (self->format->pb) av_freep(&self->format->pb->buffer);
        avio_context_free(&self->format->pb);
        avformat_free_context(self->format);
    }
    av_packet_free(&self->packet);
    free(self->bytes);
    free(self);
}
