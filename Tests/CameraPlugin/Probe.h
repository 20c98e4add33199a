// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// What the checks of the probe stand on: the plugin, a camera, and lines of "ok" and "not ok".
#pragma once

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "CCameraPlugin.h"

namespace probe {

inline int failures = 0;

inline bool check(bool passed, const char *name, const char *reason, ...) __attribute__((format(printf, 3, 4)));
inline bool check(bool passed, const char *name, const char *reason, ...)
{
	if (passed) {
		std::printf("ok %s\n", name);
	} else {
		failures++;
		std::printf("not ok %s: ", name);
		va_list arguments;
		va_start(arguments, reason);
		std::vprintf(reason, arguments);
		va_end(arguments);
		std::printf("\n");
	}
	std::fflush(stdout);
	return passed;
}

inline bool check(bool passed, const char *name)
{
	return check(passed, name, "it is not so");
}

inline int descriptors()
{
	int count = 0;
	DIR *folder = ::opendir("/proc/self/fd");
	while (folder && ::readdir(folder))
		count++;
	::closedir(folder);
	return count;
}

/* Resident memory in KB. */
inline long resident()
{
	long pages = 0;
	FILE *file = std::fopen("/proc/self/statm", "r");
	if (!file || std::fscanf(file, "%*d %ld", &pages) != 1)
		std::abort();
	std::fclose(file);
	return pages * (::sysconf(_SC_PAGESIZE) / 1024);
}

inline std::vector<std::string> logLines;

inline void keepLog(void *, int level, const char *line)
{
	static const bool isLoud = std::getenv("PROBE_LOG") != nullptr;
	if (isLoud)
		std::fprintf(stderr, "log %d %s\n", level, line);
	logLines.push_back(std::to_string(level) + " " + line);
}

inline std::string text(const shutter_value &value)
{
	std::string words;
	for (uint32_t i = 0; i < value.count; i++) {
		words += i ? " " : "";
		switch (value.type) {
		case SHUTTER_VALUE_BOOLEAN: words += static_cast<const uint8_t *>(value.data)[i] ? "true" : "false"; break;
		case SHUTTER_VALUE_INTEGER: words += std::to_string(static_cast<const int64_t *>(value.data)[i]); break;
		case SHUTTER_VALUE_NUMBER: words += std::to_string(static_cast<const double *>(value.data)[i]); break;
		default: words += static_cast<const char *>(value.data);
		}
	}
	return words;
}

inline void collect(void *context, const shutter_value *value)
{
	static_cast<std::multimap<std::string, std::string> *>(context)->emplace(value->name, text(*value));
}

using Facts = std::multimap<std::string, std::string>;

inline const shutter_camera_plugin *plugin = nullptr;

inline void load(const char *path)
{
	void *library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		std::fprintf(stderr, "%s\n", ::dlerror());
		std::exit(69);
	}
	using Entry = const shutter_camera_plugin *();
	auto *entry = reinterpret_cast<Entry *>(::dlsym(library, SHUTTER_CAMERA_PLUGIN_SYMBOL));
	plugin = entry ? entry() : nullptr;
	if (!plugin || plugin->version != SHUTTER_CAMERA_PLUGIN_VERSION || plugin->size != sizeof(*plugin)) {
		std::fprintf(stderr, "%s is no plugin of this version\n", path);
		std::exit(69);
	}
}

/* A camera that is closed again. */
class Camera
{
public:
	explicit Camera(const char *id) : result(plugin->open(id, keepLog, nullptr, &camera_)) {}
	~Camera() { plugin->close(camera_); }
	Camera(const Camera &) = delete;
	Camera &operator=(const Camera &) = delete;

	operator shutter_camera *() const { return camera_; }
	const char *error() const { return plugin->error(camera_); }

	/* 1 and the next completion; 0 when none comes for so long. */
	int wait(shutter_camera_frame &frame, int milliseconds = 5000) const
	{
		for (;;) {
			const int ret = plugin->next(camera_, &frame);
			if (ret)
				return ret;
			struct pollfd poll = { plugin->descriptor(camera_), POLLIN, 0 };
			if (::poll(&poll, 1, milliseconds) <= 0)
				return 0;
		}
	}

	void queueAll(const shutter_camera_stream &stream) const
	{
		for (uint32_t i = 0; i < stream.buffer_count; i++)
			plugin->queue(camera_, i);
	}

private:
	shutter_camera *camera_ = nullptr;

public:
	/* Of open(). After what it fills in. */
	const int result;
};

struct Options {
	std::string id;
	int count = 0;
	shutter_camera_wish wish = { 0, 0, 4, 0, 1, 0 };
	const char *output = nullptr;
	const char *argument = "";
};

/* Everything that a stream says has to be within its bytes. */
inline bool isSound(const shutter_camera_stream &stream)
{
	bool sound = stream.width && stream.height && stream.plane_count && stream.buffer_count;
	for (uint32_t i = 0; i < stream.plane_count; i++)
		sound &= stream.planes[i].offset < stream.frame_size && stream.planes[i].stride > 0;
	return sound;
}

void cycles(const Options &options);
void reconfigure(const Options &options);
void memory(const Options &options);
void opens(const Options &options);

} /* namespace probe */
