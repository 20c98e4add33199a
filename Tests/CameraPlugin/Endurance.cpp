// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that repeat: memory and descriptors stay, whatever is done how often, and whatever is refused.
#include "Probe.h"

#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <linux/videodev2.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

namespace {

/* Which allocation of camera memory fails, from 1; 0 = none. Counts down. */
int failingAllocation = 0;

bool isAllocation(unsigned long request)
{
	return request == VIDIOC_EXPBUF || request == DMA_HEAP_IOCTL_ALLOC || request == UDMABUF_CREATE;
}

} /* namespace */

/* Found before the C library's, by the plugin and by libcamera. */
extern "C" __attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...) noexcept
{
	va_list arguments;
	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	if (failingAllocation > 0 && isAllocation(request) && --failingAllocation == 0) {
		failingAllocation = -1;
		errno = ENOMEM;
		return -1;
	}
	return ::syscall(SYS_ioctl, fd, request, argument);
}

namespace probe {

namespace {

/* Runs `step` so often and looks whether memory and descriptors stay. The first tenth may still fill caches. */
void repeat(const char *name, int count, const std::function<bool(int)> &step)
{
	/* Else what was large once is kept for later, which looks like a leak. */
	::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	int fds = 0, i = 0;
	long kilobytes = 0;
	for (; i < count && step(i); i++) {
		if (i == count / 10) {
			fds = descriptors();
			kilobytes = resident();
		}
	}
	check(i == count, name, "number %d failed: %s", i, plugin->error(nullptr));
	std::printf("%s: descriptors %d → %d, resident %ld → %ld KB\n", name, fds, descriptors(), kilobytes, resident());
	check(descriptors() == fds, (std::string(name) + ": descriptors stay").c_str(), "%d, then %d", fds, descriptors());
	/* Allocators and logs vary by a little; a leak of each round's frame or request would be much more. */
	check(resident() - kilobytes < 1024 + count, (std::string(name) + ": memory stays").c_str(), "%ld KB, then %ld", kilobytes, resident());
}

} /* namespace */

void cycles(const Options &options)
{
	const Camera camera(options.id.c_str());
	shutter_camera_stream stream;
	if (camera.result < 0 || !check(plugin->configure(camera, &options.wish, &stream, nullptr) == 0, "it is configured"))
		return;
	repeat("starts and stops", options.count ? options.count : 1000, [&](int i) {
		logLines.clear();
		if (plugin->start(camera, nullptr, 0) < 0)
			return false;
		camera.queueAll(stream);
		shutter_camera_frame frame;
		/* Stopped at once, after a frame, or with a frame in hand. */
		if (i % 3 && camera.wait(frame) != 1)
			return false;
		if (i % 3 == 1 && plugin->queue(camera, frame.buffer) < 0)
			return false;
		return plugin->stop(camera) == 0 && plugin->next(camera, &frame) == 0;
	});
}

void reconfigure(const Options &options)
{
	const Camera camera(options.id.c_str());
	if (camera.result < 0)
		return static_cast<void>(check(false, "the camera opens", "%s", plugin->error(nullptr)));
	const uint32_t sizes[][2] = { { 1920, 1080 }, { 1280, 720 }, { 640, 480 }, { 1920, 1080 }, { 1920, 1080 } };
	repeat("reconfigurations", options.count ? options.count : 200, [&](int i) {
		logLines.clear();
		shutter_camera_wish wish = options.wish;
		wish.width = sizes[i % 5][0];
		wish.height = sizes[i % 5][1];
		shutter_camera_stream stream;
		shutter_camera_frame frame;
		if (plugin->configure(camera, &wish, &stream, nullptr) < 0 || !isSound(stream) || plugin->start(camera, nullptr, 0) < 0)
			return false;
		camera.queueAll(stream);
		const bool came = camera.wait(frame) == 1 && frame.status == 0 && plugin->read(camera, frame.buffer) == 0 &&
				  frame.size == stream.frame_size;
		return plugin->stop(camera) == 0 && came;
	});
}

namespace {

/* Camera memory that is refused at the first, second, … allocation: of another configuration, or of the first one. */
void refuse(const Options &options, bool hasOne)
{
	int allocations = 0, refused = 0;
	for (bool reached = true; reached && allocations < 64; allocations += reached) {
		const Camera camera(options.id.c_str());
		shutter_camera_wish small = options.wish, large = options.wish;
		small.width = 640, small.height = 480;
		large.width = 1920, large.height = 1080;
		shutter_camera_stream stream, other;
		shutter_camera_frame frame;
		if (camera.result < 0 || (hasOne && plugin->configure(camera, &small, &stream, nullptr) < 0))
			return static_cast<void>(check(false, "it is configured", "%s", camera.error()));
		failingAllocation = allocations + 1;
		const int ret = plugin->configure(camera, &large, &other, nullptr);
		reached = failingAllocation < 0;
		failingAllocation = 0;
		refused += ret < 0;
		if (ret < 0 && ret != -ENOMEM)
			return static_cast<void>(check(false, "it is ENOMEM", "%d %s", ret, camera.error()));
		if (ret < 0 && !hasOne) {
			if (plugin->start(camera, nullptr, 0) != -EINVAL || plugin->queue(camera, 0) != -EINVAL)
				return static_cast<void>(check(false, "it is not configured then", "it is"));
			if (plugin->configure(camera, &small, &stream, nullptr) < 0)
				return static_cast<void>(check(false, "it is configured later", "%s", camera.error()));
		}
		if (plugin->start(camera, nullptr, 0) < 0)
			return static_cast<void>(check(false, "it starts", "%s", camera.error()));
		if (ret == 0)
			stream = other;
		camera.queueAll(stream);
		const int came = camera.wait(frame);
		if (came != 1 || frame.status || frame.size != stream.frame_size)
			return static_cast<void>(check(false, "a frame comes after that", "%d, status %d, %zu bytes, not %u", came, frame.status,
						       frame.size, stream.frame_size));
	}
	std::printf("%d allocations, %d of them ENOMEM\n", allocations, refused);
	check(true, hasOne ? "what was before goes on when memory is refused" : "it can be configured after memory was refused");
	check(hasOne || allocations > 0, "memory can be refused", "nothing was allocated");
}

} /* namespace */

void memory(const Options &options)
{
	refuse(options, true);
	refuse(options, false);
}

void opens(const Options &options)
{
	repeat("opens and closes", options.count ? options.count : 20, [&](int) {
		logLines.clear();
		const Camera camera(options.id.c_str());
		shutter_camera_stream stream;
		shutter_camera_frame frame;
		if (camera.result < 0 || plugin->configure(camera, &options.wish, &stream, nullptr) < 0 || plugin->start(camera, nullptr, 0) < 0)
			return false;
		camera.queueAll(stream);
		/* Closed while it runs. */
		return camera.wait(frame) == 1;
	});
}

} /* namespace probe */
