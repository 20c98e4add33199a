// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// A camera plugin without a camera, which goes wrong as it is told to. The camera's id says how, as in
// "fake,silent-after=30,size=640x360"; every word is explained at its place in Camera.cpp and here.
//
// Frames come from a clock, not from a thread: next() hands out those that are due, and a timerfd says when. Along the top
// edge stand 64 squares with the instant of the exposure's centre, as in the synthetic camera's pictures.
#include <cerrno>
#include <cstdio>
#include <memory>

#include <sys/timerfd.h>

#include "Camera.h"

namespace {

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
