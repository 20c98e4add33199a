// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/timerfd.h>
#include <unistd.h>

#include "Camera.h"

int shutter_camera::configure(const shutter_camera_wish &wish, shutter_camera_stream &stream, shutter_camera_stream &raw)
{
	faults.maybeHang("configure", counts);
	if (isRunning)
		return fail(-EBUSY, "the camera is running");
	/* size=WxH: what it delivers, whatever is wished for. */
	unsigned width = wish.width ? wish.width : 640, height = wish.height ? wish.height : 360;
	std::sscanf(faults.text("size").c_str(), "%ux%u", &width, &height);
	rate = wish.rate > 0 ? std::min(wish.rate, faults.number("rate", 30)) : faults.number("rate", 30);
	stream = {};
	std::snprintf(stream.format, sizeof(stream.format), "YUV420");
	stream.width = width;
	stream.height = height;
	stream.plane_count = 3;
	const uint32_t stride = (width + 63) / 64 * 64, half = stride / 2, rows = (height + 1) / 2;
	stream.planes[0] = { 0, stride };
	stream.planes[1] = { stride * height, half };
	stream.planes[2] = { stride * height + half * rows, half };
	stream.frame_size = stride * height + 2 * half * rows;
	stream.buffer_count = wish.buffer_count ? wish.buffer_count : 4;
	stream.is_full_range = !faults.has("limited");
	stream.is_rec709 = faults.has("rec709");
	stream.orientation = wish.orientation ? wish.orientation : 1;
	raw = {};
	if (wish.wants_raw && faults.has("raw")) {
		std::snprintf(raw.format, sizeof(raw.format), "SBGGR10");
		raw.width = width;
		raw.height = height;
		raw.plane_count = 1;
		raw.planes[0] = { 0, width * 2 };
		raw.frame_size = width * 2 * height;
		raw.buffer_count = stream.buffer_count;
		raw.is_full_range = raw.is_raw = 1;
	}
	/* Memory is kept where it fits. */
	if (buffers.size() != stream.buffer_count || picture.frame_size != stream.frame_size || bayer.frame_size != raw.frame_size) {
		freeBuffers();
		for (uint32_t i = 0; i < stream.buffer_count; i++) {
			/* enomem=N: the Nth allocation of this process is refused; enomem-over=N: what is more than N at a time. */
			if (++allocations == static_cast<int>(faults.number("enomem", -1)) ||
			    liveBuffers >= faults.number("enomem-over", 1e9)) {
				freeBuffers();
				return fail(-ENOMEM, "buffer " + std::to_string(i) + " of " + std::to_string(stream.buffer_count) + " is refused");
			}
			liveBuffers++;
			buffers.emplace_back();
			buffers.back().bytes.assign(stream.frame_size, 128);
			buffers.back().raw.assign(raw.frame_size, 0);
		}
	}
	picture = stream;
	bayer = raw;
	return 0;
}

int shutter_camera::set(const shutter_value *list, size_t count)
{
	std::lock_guard lock(mutex);
	for (size_t i = 0; i < count; i++) {
		const std::string name = list[i].name;
		const double number = list[i].type == SHUTTER_VALUE_NUMBER    ? *static_cast<const double *>(list[i].data)
				      : list[i].type == SHUTTER_VALUE_INTEGER ? static_cast<const int64_t *>(list[i].data)[0]
				      : list[i].type == SHUTTER_VALUE_BOOLEAN ? *static_cast<const uint8_t *>(list[i].data)
									      : 0;
		if (name == "ExposureTime")
			wanted.exposure = static_cast<int64_t>(number);
		else if (name == "AnalogueGain")
			wanted.gain = number;
		else if (name == "ExposureValue")
			wanted.ev = number;
		else if (name == "NoiseReductionMode")
			wanted.noise = static_cast<int64_t>(number);
		else if (name == "ScalerCrop" && faults.has("modes") && list[i].type == SHUTTER_VALUE_INTEGER && list[i].count == 4)
			std::memcpy(&wanted.crop, list[i].data, sizeof(wanted.crop));
		else if (name == "AfTrigger" && faults.has("af"))
			focusIn = number == 0 ? static_cast<int>(faults.number("af", 3)) : -1;
		else if (name == "AfMode" && faults.has("af"))
			focusIn = number == 1 ? focusIn : -1;
		else if (name == "AeEnable" && faults.has("lock"))
			isExposing = number != 0;
		else if (name == "AwbEnable" && faults.has("lock"))
			isBalancing = number != 0;
		else if (name != "AeEnable" && name != "AwbEnable" && name != "AwbMode")
			return fail(-EINVAL, "this camera has no control \"" + name + "\"");
	}
	/* controls-delay=N: they are in force N frames later. controls-wrong: other ones than were asked for. */
	Controls applied = wanted;
	if (faults.has("controls-wrong"))
		applied.exposure = applied.exposure * 3 / 2;
	controls.emplace_back(sequence + static_cast<uint64_t>(faults.number("controls-delay", 0)), applied);
	return 0;
}

int shutter_camera::start(const shutter_value *list, size_t count)
{
	faults.maybeHang("start", counts);
	if (isRunning || buffers.empty())
		return fail(-EINVAL, "the camera has not been configured, or runs");
	starts++;
	sequence = 0;
	controls.assign(1, { 0, Controls() });
	const int ret = set(list, count);
	if (ret < 0)
		return ret;
	begin = nowOn(CLOCK_MONOTONIC);
	isRunning = true;
	arm();
	return 0;
}

int shutter_camera::stop()
{
	faults.maybeHang("stop", counts);
	std::lock_guard lock(mutex);
	isRunning = false;
	back += static_cast<int64_t>(queued.size());
	queued.clear();
	for (Buffer &buffer : buffers)
		buffer.isOurs = false;
	arm();
	return 0;
}

/* late=MS: frames come so much after they could. */
void shutter_camera::arm()
{
	itimerspec time = {};
	if (isRunning) {
		const int64_t due = begin + interval(controls.back().second) + static_cast<int64_t>(faults.number("late", 0) * 1e6);
		time.it_value = { due / kSecond, due % kSecond };
	}
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, nullptr);
}

int shutter_camera::next(shutter_camera_frame &frame)
{
	faults.maybeHang("next", counts);
	uint64_t expirations;
	[[maybe_unused]] const ssize_t got = ::read(timer, &expirations, sizeof(expirations));
	std::lock_guard lock(mutex);
	if (!isRunning)
		return 0;
	while (true) {
		while (controls.size() > 1 && controls[1].first <= sequence)
			controls.pop_front();
		const Controls applied = controls.front().second;
		const int64_t sensor = begin + applied.exposure * 1000, completed = begin + interval(applied);
		if (nowOn(CLOCK_MONOTONIC) < completed + static_cast<int64_t>(faults.number("late", 0) * 1e6))
			break;
		begin = completed;
		sequence++;
		/*
		 * silent-after=N: no frame after the Nth of a start; silent-starts=N: but only in the first N starts;
		 * silent-until=PATH: and none after a start either, until that file is there.
		 */
		static bool isSilent;
		isSilent = (isSilent && faults.has("silent-until")) || sequence > faults.number("silent-after", 1e9);
		if (isSilent && starts <= faults.number("silent-starts", 1e9) && !exists(faults.text("silent-until")))
			continue;
		if (queued.empty())
			continue;
		const uint32_t index = queued.front();
		queued.pop_front();
		back++;
		Buffer &buffer = buffers[index];
		buffer.isOurs = false;
		frame = {};
		frame.buffer = index;
		frame.sequence = sequence;
		frame.sensor_timestamp = sensor;
		/* bad=N: every Nth frame is damaged. */
		if (faults.has("bad") && sequence % static_cast<uint64_t>(faults.number("bad", 2)) == 0)
			frame.status = -EIO;
		draw(buffer, sensor - applied.exposure * 500);
		describe(buffer, sensor, applied);
		frame.bytes = buffer.bytes.data();
		frame.size = buffer.bytes.size();
		if (!buffer.raw.empty()) {
			frame.raw_bytes = buffer.raw.data();
			frame.raw_size = buffer.raw.size();
		}
		frame.metadata = buffer.values.data();
		frame.metadata_count = buffer.values.size();
		/* gone-after=N: the camera is unplugged then. */
		if (faults.has("gone-after") && sequence > faults.number("gone-after", 0))
			return fail(-ENODEV, "the camera is gone");
		arm();
		return 1;
	}
	arm();
	return 0;
}

void shutter_camera::draw(Buffer &buffer, int64_t centre)
{
	const uint32_t side = picture.width / 64, stride = picture.planes[0].stride;
	for (uint32_t y = 0; y < std::min(side, picture.height); y++) {
		for (int bit = 0; bit < 64; bit++)
			std::memset(buffer.bytes.data() + y * stride + bit * side, (static_cast<uint64_t>(centre) >> (63 - bit)) & 1 ? 255 : 0, side);
	}
}

void shutter_camera::describe(Buffer &buffer, int64_t sensor, const Controls &applied)
{
	buffer.values.clear();
	buffer.integers.clear();
	buffer.numbers.clear();
	const auto integer = [&](const char *name, int64_t value) {
		buffer.integers.push_back(value);
		buffer.values.push_back({ name, SHUTTER_VALUE_INTEGER, 1, &buffer.integers.back() });
	};
	const auto number = [&](const char *name, double value) {
		buffer.numbers.push_back(value);
		buffer.values.push_back({ name, SHUTTER_VALUE_NUMBER, 1, &buffer.numbers.back() });
	};
	integer("SensorTimestamp", sensor);
	integer("ExposureTime", applied.exposure);
	integer("FrameDuration", interval(applied) / 1000);
	if (applied.noise >= 0)
		integer("NoiseReductionMode", applied.noise);
	number("AnalogueGain", applied.gain);
	number("DigitalGain", 1);
	/* As a camera does that was never told: the crop that was before stays. */
	if (faults.has("modes")) {
		buffer.crop = applied.crop;
		buffer.values.push_back({ "ScalerCrop", SHUTTER_VALUE_INTEGER, 4, &buffer.crop });
	}
	if (faults.has("lock")) {
		static const uint8_t flags[] = { 0, 1 };
		buffer.values.push_back({ "AeEnable", SHUTTER_VALUE_BOOLEAN, 1, &flags[isExposing] });
		buffer.values.push_back({ "AwbEnable", SHUTTER_VALUE_BOOLEAN, 1, &flags[isBalancing] });
	}
	/* ae=N: auto exposure has converged at the Nth frame; ae=never. Else it says nothing. */
	if (faults.has("ae")) {
		static const uint8_t no = 0, yes = 1;
		const bool isLocked = faults.text("ae") != "never" && sequence >= faults.number("ae", 0);
		buffer.values.push_back({ "AeLocked", SHUTTER_VALUE_BOOLEAN, 1, isLocked ? &yes : &no });
	}
	/* af[=N]: it can focus, and has N frames after it was asked to. */
	if (faults.has("af")) {
		if (focusIn > 0)
			focusIn--;
		integer("AfState", focusIn > 0 ? 1 : focusIn == 0 ? 2 : 0);
	}
	/* wall=FACTOR: the camera's wall clock is off by it. */
	if (faults.has("wall")) {
		const int64_t wall = nowOn(CLOCK_REALTIME) - (nowOn(CLOCK_MONOTONIC) - sensor);
		const double off = static_cast<double>(wall) * faults.number("wall", 1);
		/* The largest that there is, not what a conversion makes of it. */
		integer("FrameWallClock", off < 9.2e18 ? static_cast<int64_t>(off) : INT64_MAX);
	}
	if (bayer.frame_size) {
		/* black=LEVEL of 65535, for all four colours. */
		integer("SensorBlackLevels", 4096);
	}
}

int shutter_camera::queue(uint32_t index)
{
	faults.maybeHang("queue", counts);
	std::lock_guard lock(mutex);
	if (index >= buffers.size() || buffers[index].isOurs)
		return -EINVAL;
	if (!isRunning)
		return -ECANCELED;
	buffers[index].isOurs = true;
	queued.push_back(index);
	out++;
	return 0;
}
