// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

struct SwsContext *video_scaler(int width, int height, enum AVPixelFormat format, bool is_full, bool is_rec709, int to_width, int to_height, bool to_full,
                                int flags) {
    struct SwsContext *self = sws_alloc_context();
    if (!self) return NULL;
    const struct {
        const char *name;
        int64_t value;
    } options[] = {
        {"srcw", width}, {"srch", height}, {"src_format", format}, {"dstw", to_width}, {"dsth", to_height}, {"dst_format", AV_PIX_FMT_YUV420P},
        // Set later, they would not count where the size stays: planes are copied then.
        {"src_range", is_full}, {"dst_range", to_full}, {"sws_flags", flags},
    };
    int code = 0;
    for (size_t index = 0; index < FF_ARRAY_ELEMS(options) && code >= 0; index++)
        code = av_opt_set_int(self, options[index].name, options[index].value, 0);
    if (code >= 0) code = sws_init_context(self, NULL, NULL);
    if (code >= 0) {
        const int *bt601 = sws_getCoefficients(SWS_CS_ITU601);
        sws_setColorspaceDetails(self, is_rec709 ? sws_getCoefficients(SWS_CS_ITU709) : bt601, is_full, bt601, to_full, 0, 1 << 16, 1 << 16);
        return self;
    }
    sws_freeContext(self);
    return NULL;
}
