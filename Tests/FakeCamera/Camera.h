// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "CCameraPlugin.h"

inline constexpr int64_t kSecond = 1'000'000'000;

/* Of this process: what a driver counts. */
inline std::atomic<int> allocations, liveBuffers, opens, starts;

inline int64_t nowOn(clockid_t clock)
{
	timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * kSecond + time.tv_nsec;
}

inline bool exists(const std::string &path)
{
	return !path.empty() && access(path.c_str(), F_OK) == 0;
}

struct Faults {
	std::map<std::string, std::string> words;

	explicit Faults(const char *id)
	{
		std::string text = id ? id : "";
		for (std::size_t begin = 0; begin <= text.size();) {
			const std::size_t end = std::min(text.find(',', begin), text.size());
			const std::string word = text.substr(begin, end - begin);
			const std::size_t sign = word.find('=');
			words[word.substr(0, sign)] = sign == std::string::npos ? "" : word.substr(sign + 1);
			begin = end + 1;
		}
	}

	bool has(const char *name) const { return words.count(name); }
	std::string text(const char *name) const { return has(name) ? words.at(name) : ""; }
	double number(const char *name, double standard) const { return has(name) ? std::atof(words.at(name).c_str()) : standard; }

	/* hang=CALL: it never returns, from its hang-at'th time on (else the first). While hang-until=PATH is not there. */
	void maybeHang(const char *call, std::map<std::string, int> &counts) const
	{
		if (text("hang") != call || ++counts[call] < number("hang-at", 1))
			return;
		while (!exists(text("hang-until")))
			usleep(2000);
	}
};

/* A camera that is open. What goes wrong with it, and when, stands at the place where it does. */
struct shutter_camera {
	explicit shutter_camera(const char *id) : faults(id) {}
	~shutter_camera()
	{
		freeBuffers();
		if (timer >= 0)
			::close(timer);
	}

	struct Rectangle {
		int64_t x = 0, y = 0, width = 0, height = 0;
	};

	struct Controls {
		Rectangle crop;
		int64_t exposure = 10'000; /* microseconds */
		double gain = 1;
		double ev = 0;
		int64_t noise = -1; /* never told */
	};

	struct Buffer {
		std::vector<uint8_t> bytes, raw;
		std::vector<shutter_value> values;
		std::deque<int64_t> integers;
		std::deque<double> numbers;
		Rectangle crop;
		bool isOurs = false;
	};

	int fail(int error, const std::string &text)
	{
		words = text;
		return error;
	}

	void freeBuffers()
	{
		liveBuffers -= static_cast<int>(buffers.size());
		buffers.clear();
	}

	/* modes: a small picture is of a mode that sees only the middle of the sensor. */
	bool isSmall() const { return picture.width <= 640; }
	Rectangle widest() const { return isSmall() ? Rectangle{ 700, 524, 2664, 1980 } : Rectangle{ 8, 4, 4056, 3040 }; }

	int configure(const shutter_camera_wish &wish, shutter_camera_stream &stream, shutter_camera_stream &raw);
	int start(const shutter_value *list, size_t count);
	int stop();
	int set(const shutter_value *list, size_t count);
	int next(shutter_camera_frame &frame);
	int queue(uint32_t index);
	void arm();
	void draw(Buffer &buffer, int64_t centre);
	void describe(Buffer &buffer, int64_t sensor, const Controls &applied);
	int64_t interval(const Controls &applied) const { return std::max<int64_t>(kSecond / rate, applied.exposure * 1000); }

	Faults faults;
	std::map<std::string, int> counts;
	std::string words;
	int timer = -1;
	bool isRunning = false;
	double rate = 30;
	shutter_camera_stream picture = {};
	shutter_camera_stream bayer = {};
	std::vector<Buffer> buffers;

	std::mutex mutex;
	std::deque<uint32_t> queued;
	/* The newest last. The one in force is the one that is old enough. */
	std::deque<std::pair<uint64_t, Controls>> controls;
	Controls wanted;
	uint64_t sequence = 0;
	int64_t begin = 0; /* of the next exposure */
	int focusIn = -1;
	/* lock: exposure and white balance can be kept as they are. */
	uint8_t isExposing = 1, isBalancing = 1;
	int64_t out = 0, back = 0;
};
