// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// The plugin's parts that need no camera: values, layouts, mappings, the log. `run` builds it with sanitizers.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <libcamera/libcamera.h>

#include "Buffers.h"
#include "Configurator.h"
#include "Log.h"
#include "Picture.h"
#include "Values.h"

using namespace libcamera;

namespace {

int failures = 0;

void check(bool passed, const std::string &name)
{
	failures += !passed;
	std::printf("%s %s\n", passed ? "ok" : "not ok", passed ? name.c_str() : (name + ": it is not so").c_str());
}

template<typename... Values>
shutter_value integers(const char *name, Values... values)
{
	static std::vector<int64_t> kept;
	kept = { static_cast<int64_t>(values)... };
	return { name, SHUTTER_VALUE_INTEGER, static_cast<uint32_t>(kept.size()), kept.data() };
}

/* Sets and reads back: "" when it is refused. */
std::string roundTrip(const shutter_value &value)
{
	const ControlInfoMap infos({ { &controls::ScalerCrop, ControlInfo(Rectangle(), Rectangle()) },
				     { &controls::AfWindows, ControlInfo(Rectangle(), Rectangle()) },
				     { &controls::ColourGains, ControlInfo(0.0f, 32.0f) },
				     { &controls::FrameDurationLimits, ControlInfo(int64_t{ 1 }, int64_t{ 1000 }) },
				     { &controls::ExposureTime, ControlInfo(0, 1000) },
				     { &controls::AeEnable, ControlInfo(false, true) } },
				   controls::controls);
	ControlList list(controls::controls);
	std::string words;
	if (shutter::setControl(infos, value, list, words) < 0)
		return "";
	shutter::ValueList values;
	values.add(list);
	std::string text;
	for (const shutter_value &back : values.values()) {
		for (uint32_t i = 0; i < back.count; i++) {
			text += i ? " " : "";
			if (back.type == SHUTTER_VALUE_INTEGER)
				text += std::to_string(static_cast<const int64_t *>(back.data)[i]);
			else if (back.type == SHUTTER_VALUE_NUMBER)
				text += std::to_string(static_cast<const double *>(back.data)[i]);
			else
				text += std::to_string(static_cast<const uint8_t *>(back.data)[i]);
		}
	}
	return text;
}

void values()
{
	const double gains[] = { 1.5, 2.25 };
	const uint8_t yes = 7;
	check(roundTrip(integers("ScalerCrop", -8, 16, 4056, 3040)) == "-8 16 4056 3040", "a rectangle is four integers");
	check(roundTrip(integers("ScalerCrop", 0, 0, -1, 1)).empty(), "none has a negative width");
	check(roundTrip(integers("ScalerCrop", 0, 0, 1)).empty(), "nor three of them");
	check(roundTrip(integers("ScalerCrop", 0, 0, 1, 1, 0, 0, 1, 1)).empty(), "nor eight");
	check(roundTrip(integers("AfWindows", 1, 2, 3, 4, 5, 6, 7, 8)) == "1 2 3 4 5 6 7 8", "but windows are as many as one likes");
	check(roundTrip({ "ColourGains", SHUTTER_VALUE_NUMBER, 2, gains }) == "1.500000 2.250000", "numbers in an array");
	check(roundTrip({ "ColourGains", SHUTTER_VALUE_NUMBER, 1, gains }).empty(), "not fewer of them");
	check(roundTrip(integers("FrameDurationLimits", 1, int64_t{ 1 } << 40)) == "1 1099511627776", "64 bits");
	check(roundTrip(integers("ExposureTime", int64_t{ 1 } << 31)).empty(), "not into 32");
	check(roundTrip(integers("ExposureTime", -(int64_t{ 1 } << 31))) == "-2147483648", "the least of 32 bits");
	check(roundTrip({ "AeEnable", SHUTTER_VALUE_BOOLEAN, 1, &yes }) == "1", "what is not 0 is true");
	check(roundTrip(integers("AeEnable", 2)).empty(), "2 is no boolean");
	check(shutter::nearest("exposuretime", { "AeEnable", "ExposureTime", "ExposureValue" }) == "ExposureTime", "the nearest name");
	check(shutter::nearest("x", {}).empty(), "of none");
	check(shutter::bitDepthOf(formats::SBGGR10_CSI2P) == 10 && shutter::bitDepthOf(formats::SRGGB12) == 12 &&
		      shutter::bitDepthOf(formats::SGRBG8) == 8,
	      "bits from a format's name");
}

SharedFD memory(std::size_t size, uint8_t value)
{
	const int fd = ::memfd_create("plane", MFD_CLOEXEC);
	const std::vector<uint8_t> bytes(size, value);
	if (::write(fd, bytes.data(), size) != static_cast<ssize_t>(size))
		std::abort();
	return SharedFD(UniqueFD(fd));
}

FrameBuffer::Plane plane(const SharedFD &fd, unsigned int offset, unsigned int length)
{
	FrameBuffer::Plane made;
	made.fd = fd;
	made.offset = offset;
	made.length = length;
	return made;
}

void mappings()
{
	const SharedFD one = memory(10000, 1), two = memory(3000, 2), three = memory(3000, 3);
	{
		/* A name, since SharedFD takes over what has none. */
		const int same = one.get();
		const std::vector<FrameBuffer::Plane> planes = { plane(one, 0, 6000), plane(SharedFD(same), 6000, 2000),
								 plane(one, 8000, 2000) };
		const FrameBuffer buffer(planes);
		shutter::Mapping mapping;
		check(mapping.map(buffer) == 0 && mapping.size() == 10000 && mapping.offsets() == std::vector<uint32_t>{ 0, 6000, 8000 },
		      "planes of one memory, by two descriptors");
	}
	const std::vector<FrameBuffer::Plane> planes = { plane(one, 0, 10000), plane(two, 0, 3000), plane(three, 1000, 2000) };
	const FrameBuffer buffer(planes);
	shutter::Mapping mapping, moved;
	check(mapping.map(buffer) == 0, "planes of three memories are mapped");
	moved = std::move(mapping);
	moved.beginReading();
	const std::vector<uint32_t> &offsets = moved.offsets();
	check(offsets.size() == 3 && moved.bytes()[offsets[0] + 9999] == 1 && moved.bytes()[offsets[1]] == 2 &&
		      moved.bytes()[offsets[1] + 2999] == 2 && moved.bytes()[offsets[2] + 1999] == 3 &&
		      moved.size() == offsets[2] + 2000u,
	      "into one piece, each where it is said to be");
	const std::vector<FrameBuffer::Plane> broken = { plane(SharedFD(), 0, 1000) };
	shutter::Mapping none;
	check(none.map(FrameBuffer(broken)) < 0, "what cannot be mapped is told");
}

void log()
{
	std::vector<std::string> lines;
	shutter::Log::begin();
	shutter::Log::take(
		[](void *context, int level, const char *line) {
			static_cast<std::vector<std::string> *>(context)->push_back(std::to_string(level) + " " + line);
		},
		&lines);
	logSetLevel("Camera", "INFO");
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([] {
			for (int j = 0; j < 50; j++)
				ColorSpace::fromString("none such");
		});
	for (std::thread &thread : threads)
		thread.join();
	CameraManager manager;
	manager.start();
	manager.stop();
	bool whole = !lines.empty();
	for (const std::string &line : lines)
		whole &= line.size() > 3 && line[1] == ' ' && line[2] != '[' && line.find('\n') == line.npos && line.find('\033') == line.npos;
	check(whole, "lines are whole, without time and colour");
	const std::size_t count = lines.size();
	shutter::Log::drop();
	manager.start();
	manager.stop();
	check(lines.size() == count, "none comes after it was dropped");
}

} /* namespace */

int main()
{
	std::setvbuf(stdout, nullptr, _IONBF, 0);
	values();
	check(shutter::turnedBy(3, 3) == 1 && shutter::turnedBy(1, 6) == 6 && shutter::turnedBy(0, 9) == 1, "turns add up");
	mappings();
	log();
	return failures ? 1 : 0;
}
