// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "CCameraPlugin.h"

namespace shutter {

/* Where libcamera's log goes. One for the process, since libcamera has one; the latest open() says where to. */
class Log
{
public:
	/* Has libcamera write here rather than to standard error. */
	static void begin();
	/* From here on libcamera's lines go to \a log; nullptr drops them. */
	static void take(shutter_log log, void *context);
	/* Forgets the callback, and has libcamera forget the stream: the plugin may be unloaded. */
	static void drop();
	static void say(int level, std::string_view words);
};

} /* namespace shutter */
