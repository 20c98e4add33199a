// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

// The last complaint of this thread, without its line feed.
static _Thread_local char words[256];

static void listen(void *context, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_ERROR) return;
    int print_prefix = 1;
    av_log_format_line(context, level, format, arguments, words, sizeof words, &print_prefix);
    words[strcspn(words, "\n")] = 0;
}

void video_quiet(void) { av_log_set_callback(listen); }

void video_describe(int code, char *text, size_t size) {
    if (av_strerror(code, text, size) < 0) snprintf(text, size, "FFmpeg's error %d", code);
    if (!*words) return;
    size_t length = strlen(text);
    snprintf(text + length, size - length, " (%s)", words);
    *words = 0;
}

bool video_wants_more(int code) { return code == AVERROR(EAGAIN); }

bool video_is_end(int code) { return code == AVERROR_EOF; }
