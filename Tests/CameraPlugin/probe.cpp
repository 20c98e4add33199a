// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads the camera plugin and looks at what it does with a real libcamera:
//
//   probe PLUGIN COMMAND [OPTION]…
//
//   list                 the cameras, one a line          describe          what the camera tells
//   capture              frames, their order and bytes    controls          names, types and what is refused
//   cycles               starts and stops, memory flat    reconfigure       other wishes, memory flat
//   misuse               calls at the wrong time          opens             opening and closing, memory flat
//   busy                 the camera is another's          none [ERRNO]      there is no camera
//   memory               each allocation fails once
//
//   -c ID  the camera (else the first)   -n COUNT   -s WIDTHxHEIGHT   -b BUFFERS   -r RATE   -o FILE  the first frame's bytes
//   -t TURN  how the camera is mounted, EXIF's 1…8   -w  with a raw stream
//
// Prints "ok NAME" or "not ok NAME: REASON" for each thing it has looked at; 1 when one is not.
#include "Probe.h"

#include <algorithm>

using namespace probe;

namespace {

void list()
{
	Facts facts;
	const int ret = plugin->describe(nullptr, collect, &facts);
	check(ret == 0, "cameras are listed", "%d %s", ret, plugin->error(nullptr));
	for (const auto &[name, id] : facts)
		std::printf("%s\n", id.c_str());
}

void describe(const Options &options)
{
	const Camera camera(options.id.c_str());
	if (!check(camera.result == 0, "the camera opens", "%d %s", camera.result, plugin->error(nullptr)))
		return;
	Facts facts;
	plugin->describe(camera, collect, &facts);
	for (const auto &[name, value] : facts)
		std::printf("%s = %s\n", name.c_str(), value.c_str());
	check(facts.count("id") == 1, "the camera tells its id", "none");
}

void print(const char *name, const shutter_camera_stream &stream)
{
	std::printf("%s %s %ux%u, %u bytes, %u buffers, orientation %u, %s range, Rec. %s", name, stream.format, stream.width,
		    stream.height, stream.frame_size, stream.buffer_count, stream.orientation, stream.is_full_range ? "full" : "limited",
		    stream.is_rec709 ? "709" : "601");
	for (uint32_t i = 0; i < stream.plane_count; i++)
		std::printf(", plane %u at %u stride %u", i, stream.planes[i].offset, stream.planes[i].stride);
	std::printf("\n");
}

void write(const char *path, const shutter_camera_frame &frame)
{
	FILE *file = std::fopen(path, "wb");
	if (!file || std::fwrite(frame.bytes, 1, frame.size, file) != frame.size || std::fclose(file))
		check(false, "the frame is written", "%s: %s", path, std::strerror(errno));
}

void capture(const Options &options)
{
	const Camera camera(options.id.c_str());
	if (!check(camera.result == 0, "the camera opens", "%d %s", camera.result, plugin->error(nullptr)))
		return;
	shutter_camera_stream stream, raw;
	int ret = plugin->configure(camera, &options.wish, &stream, &raw);
	if (!check(ret == 0, "it is configured", "%d %s", ret, camera.error()))
		return;
	print("picture", stream);
	if (raw.buffer_count)
		print("raw", raw);
	check(isSound(stream), "the layout is within the frame", "see above");
	ret = plugin->start(camera, nullptr, 0);
	if (!check(ret == 0, "it starts", "%d %s", ret, camera.error()))
		return;
	camera.queueAll(stream);

	const int wanted = options.count ? options.count : 30;
	int out = stream.buffer_count, back = 0, gaps = 0, failed = 0;
	bool rises = true, isWhole = true, hasStamp = true;
	int64_t first = 0, last = 0;
	uint64_t sequence = 0;
	std::string facts;
	for (int i = 0; i < wanted; i++) {
		shutter_camera_frame frame;
		ret = camera.wait(frame);
		if (ret != 1 && !check(false, "a frame comes", "frame %d: %d", i, ret))
			break;
		back++;
		failed += frame.status != 0;
		if (i) {
			rises &= frame.sensor_timestamp > last && frame.sequence > sequence;
			gaps += frame.sequence != sequence + 1;
		} else {
			first = frame.sensor_timestamp;
			for (size_t j = 0; j < frame.metadata_count; j++)
				facts += std::string(" ") + frame.metadata[j].name + "=" + text(frame.metadata[j]);
		}
		hasStamp &= frame.metadata_count > 0 && std::any_of(frame.metadata, frame.metadata + frame.metadata_count, [](const auto &value) {
			return std::strcmp(value.name, "SensorTimestamp") == 0;
		});
		sequence = frame.sequence;
		last = frame.sensor_timestamp;
		isWhole &= frame.bytes && frame.size == stream.frame_size;
		isWhole &= plugin->read(camera, frame.buffer) == 0 && plugin->read(camera, frame.buffer) == 0;
		/* The last byte of each plane is really there. */
		for (uint32_t j = 0; j < stream.plane_count; j++) {
			const uint32_t end = j + 1 < stream.plane_count ? stream.planes[j + 1].offset : stream.frame_size;
			volatile uint8_t byte = frame.bytes[end - 1];
			static_cast<void>(byte);
		}
		if (i == 0 && options.output)
			write(options.output, frame);
		if (i + 1 < wanted) {
			ret = plugin->queue(camera, frame.buffer);
			if (ret < 0 && !check(false, "a buffer is queued again", "%d", ret))
				break;
			out++;
		}
	}
	std::printf("metadata%s\n", facts.c_str());
	std::printf("%d frames in %.3f s: %.2f ms each, %d gaps\n", back, (last - first) / 1e9, (last - first) / 1e6 / (back - 1), gaps);
	check(rises, "sequence numbers and timestamps rise", "see above");
	check(failed == 0, "all frames are good", "%d are not", failed);
	check(isWhole, "frames are as large as the layout says", "one is not");
	check(hasStamp, "each has its SensorTimestamp", "one has none");
	ret = plugin->stop(camera);
	check(ret == 0, "it stops", "%d %s", ret, camera.error());
	shutter_camera_frame frame;
	check(plugin->next(camera, &frame) == 0, "no completion is left after the stop", "one is");
	std::printf("out %d, back %d, taken back by the stop %d\n", out, back, out - back);
}

void controls(const Options &options)
{
	const Camera camera(options.id.c_str());
	shutter_camera_stream stream;
	if (camera.result < 0 || !check(plugin->configure(camera, &options.wish, &stream, nullptr) == 0, "it is configured", "%s", camera.error()))
		return;
	Facts facts;
	plugin->describe(camera, collect, &facts);
	const double half = 0.5;
	const int64_t one = 1, huge = int64_t{ 1 } << 40;
	const uint8_t yes = 1;
	const shutter_value unknown = { "Brightnes", SHUTTER_VALUE_NUMBER, 1, &half };
	int ret = plugin->set_controls(camera, &unknown, 1);
	check(ret == -EINVAL && std::strstr(camera.error(), "\"Brightnes\""), "an unknown control is named", "%d %s", ret, camera.error());
	std::printf("%s\n", camera.error());
	if (!facts.count("Brightness.max"))
		return;
	check(std::strstr(camera.error(), "nearest is Brightness"), "and the nearest one", "%s", camera.error());
	struct Row {
		const char *name;
		shutter_value value;
		int expected;
	};
	const double pair[] = { 1, 2 };
	const Row rows[] = {
		{ "a number is taken", { "Brightness", SHUTTER_VALUE_NUMBER, 1, &half }, 0 },
		{ "an integer is taken for a number", { "Brightness", SHUTTER_VALUE_INTEGER, 1, &one }, 0 },
		{ "text is not", { "Brightness", SHUTTER_VALUE_TEXT, 1, "bright" }, -EINVAL },
		{ "a boolean is not", { "Brightness", SHUTTER_VALUE_BOOLEAN, 1, &yes }, -EINVAL },
		{ "two numbers are not", { "Brightness", SHUTTER_VALUE_NUMBER, 2, pair }, -EINVAL },
		{ "none is not", { "Brightness", SHUTTER_VALUE_NUMBER, 0, pair }, -EINVAL },
		{ "an enumeration takes its integer", { "TestPatternMode", SHUTTER_VALUE_INTEGER, 1, &one },
		  facts.count("TestPatternMode.max") ? 0 : -EINVAL },
		{ "and none that is too large", { "TestPatternMode", SHUTTER_VALUE_INTEGER, 1, &huge }, -EINVAL },
	};
	for (const Row &row : rows) {
		ret = plugin->set_controls(camera, &row.value, 1);
		check(ret == row.expected, row.name, "%d %s", ret, camera.error());
	}
	ret = plugin->start(camera, &rows[0].value, 1);
	check(ret == 0, "it starts with controls", "%d %s", ret, camera.error());
	plugin->stop(camera);
	check(plugin->start(camera, &unknown, 1) == -EINVAL, "it does not start with unknown ones");
	check(plugin->start(camera, nullptr, 0) == 0, "and starts all the same then");
}

void misuse(const Options &options)
{
	plugin->close(nullptr);
	shutter_camera *none = nullptr;
	check(plugin->open("no-such-camera", keepLog, nullptr, &none) == -ENODEV && !none, "an unknown id is ENODEV", "it is not");
	std::printf("%s\n", plugin->error(nullptr));
	const Camera camera(options.id.c_str());
	if (camera.result < 0)
		return static_cast<void>(check(false, "the camera opens", "%s", plugin->error(nullptr)));
	check(!logLines.empty(), "libcamera's log comes to the callback", "no line came");
	check(!logLines.empty() && logLines[0].starts_with("6 Camera"), "without time and thread, with its level", "%s",
	      logLines.empty() ? "" : logLines[0].c_str());
	const Camera second(options.id.c_str());
	check(second.result == -EBUSY, "it cannot be had twice", "%d", second.result);
	std::printf("%s\n", plugin->error(nullptr));
	shutter_camera_stream stream;
	shutter_camera_frame frame;
	check(plugin->start(camera, nullptr, 0) == -EINVAL, "it does not start unconfigured", "it does");
	check(plugin->queue(camera, 0) == -EINVAL && plugin->read(camera, 0) == -EINVAL, "there are no buffers unconfigured", "there are");
	check(plugin->next(camera, &frame) == 0 && plugin->stop(camera) == 0, "nothing to fetch or to stop", "there is");
	if (!check(plugin->configure(camera, &options.wish, &stream, nullptr) == 0, "it is configured", "%s", camera.error()))
		return;
	check(plugin->queue(camera, 0) == -ECANCELED, "nothing is queued while it is stopped", "it is");
	check(plugin->start(camera, nullptr, 0) == 0 && plugin->start(camera, nullptr, 0) == -EINVAL, "it starts once", "%s", camera.error());
	check(plugin->configure(camera, &options.wish, &stream, nullptr) == -EBUSY, "it is not configured while it runs", "it is");
	check(plugin->queue(camera, 0) == 0 && plugin->queue(camera, 0) == -EINVAL, "a buffer is queued once", "twice");
	check(plugin->queue(camera, 10000) == -EINVAL, "a buffer that is none is refused", "it is not");
	check(plugin->read(camera, 0) == -EINVAL, "the camera's buffer is not read", "it is");
	/* Some drivers wait for a second one. */
	check(plugin->queue(camera, 1) == 0 && camera.wait(frame) == 1 && frame.buffer == 0, "the buffer comes back", "another, or none");
	check(plugin->queue(camera, 0) == 0 && plugin->stop(camera) == 0 && plugin->next(camera, &frame) == 0, "the stop takes all back",
	      "%s", camera.error());
	check(plugin->read(camera, 0) == 0 && plugin->read(camera, 1) == 0, "and both are the daemon's", "one is not");
	shutter_camera_wish absurd = options.wish;
	absurd.width = absurd.height = 1;
	const int ret = plugin->configure(camera, &absurd, &stream, nullptr);
	std::printf("1x1 becomes %d: %s %ux%u\n", ret, ret < 0 ? camera.error() : "", stream.width, stream.height);
	absurd.width = absurd.height = 1 << 20;
	const int huge = plugin->configure(camera, &absurd, &stream, nullptr);
	std::printf("1048576x1048576 becomes %d: %s %ux%u\n", huge, huge < 0 ? camera.error() : "", stream.width, stream.height);
}

void busy(const Options &options)
{
	const Camera camera(options.id.c_str());
	check(camera.result == -EBUSY, "a camera that is another's is EBUSY", "%d %s", camera.result, plugin->error(nullptr));
	std::printf("%s\n", plugin->error(nullptr));
}

void none(const Options &options)
{
	const Camera camera(options.id.c_str());
	std::printf("%d %s\n", camera.result, plugin->error(nullptr));
	check(camera.result == -(*options.argument ? std::atoi(options.argument) : ENODEV), "no camera is told", "%d", camera.result);
}

} /* namespace */

int main(int argc, char **argv)
{
	if (argc < 3)
		return 64;
	load(argv[1]);
	const std::string command = argv[2];
	Options options;
	for (int i = 3; i < argc; i++) {
		const std::string option = argv[i];
		const char *value = i + 1 < argc ? argv[i + 1] : "";
		if (option == "-w")
			options.wish.wants_raw = 1;
		else if (option[0] != '-')
			options.argument = argv[i];
		else if (i++; option == "-c")
			options.id = value;
		else if (option == "-n")
			options.count = std::atoi(value);
		else if (option == "-s")
			std::sscanf(value, "%ux%u", &options.wish.width, &options.wish.height);
		else if (option == "-b")
			options.wish.buffer_count = std::atoi(value);
		else if (option == "-r")
			options.wish.rate = std::atof(value);
		else if (option == "-t")
			options.wish.orientation = std::atoi(value);
		else if (option == "-o")
			options.output = value;
		else
			return 64;
	}
	std::printf("built with libcamera %s, running with %s\n", plugin->built_with, plugin->running);
	const std::map<std::string, std::function<void()>> commands = {
		{ "list", list },
		{ "describe", [&] { describe(options); } },
		{ "capture", [&] { capture(options); } },
		{ "controls", [&] { controls(options); } },
		{ "cycles", [&] { cycles(options); } },
		{ "reconfigure", [&] { reconfigure(options); } },
		{ "memory", [&] { memory(options); } },
		{ "opens", [&] { opens(options); } },
		{ "misuse", [&] { misuse(options); } },
		{ "busy", [&] { busy(options); } },
		{ "none", [&] { none(options); } },
	};
	const auto found = commands.find(command);
	if (found == commands.end())
		return 64;
	found->second();
	return failures ? 1 : 0;
}
