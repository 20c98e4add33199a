// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// A camera plugin without a camera, which goes wrong as it is told to. The camera's id says how, as in
// "fake,silent-after=30,size=640x360"; every word is explained at its place in struct Faults.
//
// Frames come from a clock, not from a thread: next() hands out those that are due, and a timerfd says when. Along the top
// edge stand 64 squares with the instant of the exposure's centre, as in the synthetic camera's pictures.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <sys/timerfd.h>
#include <unistd.h>

#include "CCameraPlugin.h"

namespace {

constexpr int64_t kSecond = 1'000'000'000;

/* Of this process: what a driver counts. */
std::atomic<int> allocations, liveBuffers, opens, starts;

int64_t nowOn(clockid_t clock)
{
	timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * kSecond + time.tv_nsec;
}

bool exists(const std::string &path)
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

std::map<std::string, int> &openCounts()
{
	static std::map<std::string, int> counts;
	return counts;
}

std::string &openError()
{
	static std::string words;
	return words;
}

} /* namespace */

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
		integer("FrameWallClock", static_cast<int64_t>(static_cast<double>(wall) * faults.number("wall", 1)));
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

namespace {

int openCamera(const char *id, shutter_log log, void *context, shutter_camera **camera)
{
	*camera = nullptr;
	auto opened = std::make_unique<shutter_camera>(id);
	const Faults &faults = opened->faults;
	faults.maybeHang("open", openCounts());
	opens++;
	/* absent-until=PATH: there is no camera until that file is there; busy-until, denied-until: another reason. */
	const struct {
		const char *name;
		int error;
		const char *words;
	} reasons[] = {
		{ "absent-until", -ENODEV, "libcamera finds no camera" },
		{ "busy-until", -EBUSY, "process 4711 (rpicam-still) has the camera" },
		{ "denied-until", -EACCES, "/dev/media0 may not be opened" },
	};
	for (const auto &reason : reasons) {
		if (faults.has(reason.name) && !exists(faults.text(reason.name))) {
			openError() = reason.words;
			return reason.error;
		}
	}
	opened->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (opened->timer < 0)
		return -errno;
	if (log)
		log(context, SHUTTER_LOG_INFO, "a fake camera is open");
	*camera = opened.release();
	return 0;
}

void closeCamera(shutter_camera *camera)
{
	if (!camera)
		return;
	camera->faults.maybeHang("close", camera->counts);
	if (camera->isRunning)
		camera->stop();
	const std::string report = camera->faults.text("report");
	const int64_t out = camera->out, back = camera->back;
	delete camera;
	/* report=PATH: what was counted. */
	if (report.empty())
		return;
	if (FILE *file = std::fopen(report.c_str(), "a")) {
		std::fprintf(file, "out=%lld back=%lld live=%d allocations=%d opens=%d starts=%d\n", static_cast<long long>(out),
			     static_cast<long long>(back), liveBuffers.load(), allocations.load(), opens.load(), starts.load());
		std::fclose(file);
	}
}

int describeCamera(shutter_camera *camera, shutter_tell tell, void *context)
{
	const shutter_value value = { camera ? "id" : "camera", SHUTTER_VALUE_TEXT, 1, "fake" };
	tell(context, &value);
	const int64_t least = 0;
	const shutter_value focus = { "AfMode.min", SHUTTER_VALUE_INTEGER, 1, &least };
	if (camera && camera->faults.has("af"))
		tell(context, &focus);
	if (camera && camera->faults.has("lock")) {
		static const uint8_t no = 0, yes = 1;
		for (const char *name : { "AeEnable.min", "AwbEnable.min" }) {
			const shutter_value value = { name, SHUTTER_VALUE_BOOLEAN, 1, &no };
			tell(context, &value);
		}
		for (const char *name : { "AeEnable.max", "AwbEnable.max" }) {
			const shutter_value value = { name, SHUTTER_VALUE_BOOLEAN, 1, &yes };
			tell(context, &value);
		}
	}
	if (camera && camera->faults.has("modes")) {
		const shutter_camera::Rectangle widest = camera->widest();
		/* Up to eight times, and a bias of the exposure. */
		const shutter_camera::Rectangle least = { 0, 0, widest.width / 8, widest.height / 8 };
		static const double darkest = -8, brightest = 8;
		const shutter_value values[] = {
			{ "ExposureValue.min", SHUTTER_VALUE_NUMBER, 1, &darkest },
			{ "ExposureValue.max", SHUTTER_VALUE_NUMBER, 1, &brightest },
			{ "ScalerCrop.max", SHUTTER_VALUE_INTEGER, 4, &widest },
			{ "ScalerCropMaximum", SHUTTER_VALUE_INTEGER, 4, &widest },
			{ "ScalerCrop.min", SHUTTER_VALUE_INTEGER, 4, &least },
			{ "SensorMode", SHUTTER_VALUE_TEXT, 1, camera->isSmall() ? "1332x990, 10 bits" : "4056x3040, 12 bits" },
		};
		for (const shutter_value &value : values)
			tell(context, &value);
	}
	return 0;
}

const shutter_camera_plugin plugin = {
	SHUTTER_CAMERA_PLUGIN_VERSION,
	sizeof(shutter_camera_plugin),
	"0.0.0",
	"0.0.0",
	openCamera,
	describeCamera,
	[](shutter_camera *camera, const shutter_camera_wish *wish, shutter_camera_stream *stream, shutter_camera_stream *raw) {
		shutter_camera_stream ignored;
		return camera->configure(*wish, *stream, raw ? *raw : ignored);
	},
	[](shutter_camera *camera, const shutter_value *controls, size_t count) { return camera->start(controls, count); },
	[](shutter_camera *camera) { return camera->stop(); },
	[](shutter_camera *camera) { return camera->timer; },
	[](shutter_camera *camera, shutter_camera_frame *frame) { return camera->next(*frame); },
	[](shutter_camera *, uint32_t) { return 0; },
	[](shutter_camera *camera, uint32_t buffer) { return camera->queue(buffer); },
	[](shutter_camera *camera, const shutter_value *controls, size_t count) { return camera->set(controls, count); },
	closeCamera,
	[](shutter_camera *camera) { return camera ? camera->words.c_str() : openError().c_str(); },
};

} /* namespace */

extern "C" __attribute__((visibility("default"))) const shutter_camera_plugin *shutter_camera_plugin()
{
	return &plugin;
}
