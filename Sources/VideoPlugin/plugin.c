// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "support.h"

const struct shutter_video_plugin *shutter_video_plugin(void);

const struct shutter_video_plugin *shutter_video_plugin(void) {
#define ENTRY(name) .name = video_##name,
    static const struct shutter_video_plugin plugin = {
        .version = SHUTTER_VIDEO_PLUGIN_VERSION, .size = sizeof(struct shutter_video_plugin), VIDEO_FUNCTIONS(ENTRY)};
#undef ENTRY
    // FFmpeg has something to say from the first call on.
    video_quiet();
    return &plugin;
}
