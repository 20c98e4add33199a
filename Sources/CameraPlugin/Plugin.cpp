// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface. Nothing of libcamera runs before the first call of open or describe, so loading this is cheap; and no
// exception leaves here.
#include <cerrno>
#include <new>
#include <string>

#include "CCameraPlugin.h"

#include "Compat.h"
#include "Log.h"
#include "Manager.h"
#include "Session.h"

struct shutter_camera final : shutter::Session {
	using Session::Session;
};

namespace {

/* The last open's. */
std::string &openError()
{
	static std::string *const words = new std::string;
	return *words;
}

int said(shutter_camera *camera, int error, const char *words) noexcept
try {
	if (camera)
		return camera->fail(error, words);
	openError() = words;
	return error;
} catch (...) {
	return error;
}

/* What the exception that is being handled amounts to. */
int caught(shutter_camera *camera) noexcept
{
	try {
		throw;
	} catch (const std::bad_alloc &) {
		return said(camera, -ENOMEM, "out of memory");
	} catch (const std::exception &exception) {
		return said(camera, -EIO, exception.what());
	} catch (...) {
		return said(camera, -EIO, "libcamera has thrown something");
	}
}

int openCamera(const char *id, shutter_log log, void *context, shutter_camera **camera) noexcept
try {
	*camera = nullptr;
	openError().clear();
	shutter::Log::take(log, context);
	shutter::SharedManager manager;
	int ret = shutter::startManager(manager, openError());
	if (ret < 0)
		return ret;
	/* Every open camera holds on to the manager. */
	const bool isOnly = manager.use_count() == 1;
	std::shared_ptr<libcamera::Camera> found;
	ret = shutter::findCamera(*manager, id ? id : "", found, isOnly, openError());
	if (ret < 0)
		return ret;
	auto opened = std::make_unique<shutter_camera>(std::move(manager), std::move(found));
	ret = opened->acquire(isOnly);
	if (ret < 0) {
		openError() = opened->error();
		return ret;
	}
	*camera = opened.release();
	return 0;
} catch (...) {
	return caught(nullptr);
}

int describeAll(shutter_tell tell, void *context)
{
	/* Without a camera that is open, nobody has said where the log is to go: it is dropped. */
	shutter::SharedManager manager;
	openError().clear();
	const int ret = shutter::startManager(manager, openError());
	if (ret < 0)
		return ret;
	for (const auto &camera : manager->cameras()) {
		const shutter_value value = { "camera", SHUTTER_VALUE_TEXT, 1, camera->id().c_str() };
		tell(context, &value);
	}
	return 0;
}

int describe(shutter_camera *camera, shutter_tell tell, void *context) noexcept
try {
	return camera ? camera->describe(tell, context) : describeAll(tell, context);
} catch (...) {
	return caught(camera);
}

int configure(shutter_camera *camera, const shutter_camera_wish *wish, shutter_camera_stream *stream, shutter_camera_stream *raw) noexcept
try {
	shutter_camera_stream ignored;
	return camera->configure(*wish, *stream, raw ? *raw : ignored);
} catch (...) {
	return caught(camera);
}

int start(shutter_camera *camera, const shutter_value *controls, size_t count) noexcept
try {
	return camera->start(controls, count);
} catch (...) {
	return caught(camera);
}

int stop(shutter_camera *camera) noexcept
try {
	return camera->stop();
} catch (...) {
	return caught(camera);
}

int descriptor(shutter_camera *camera) noexcept
{
	return camera->descriptor();
}

int next(shutter_camera *camera, shutter_camera_frame *frame) noexcept
try {
	return camera->next(*frame);
} catch (...) {
	return caught(camera);
}

int readFrame(shutter_camera *camera, uint32_t buffer) noexcept
try {
	return camera->read(buffer);
} catch (...) {
	return -EIO;
}

int queue(shutter_camera *camera, uint32_t buffer) noexcept
try {
	return camera->queue(buffer);
} catch (const std::bad_alloc &) {
	return -ENOMEM;
} catch (...) {
	return -EIO;
}

int setControls(shutter_camera *camera, const shutter_value *controls, size_t count) noexcept
try {
	return camera->setControls(controls, count);
} catch (...) {
	return caught(camera);
}

void closeCamera(shutter_camera *camera) noexcept
try {
	delete camera;
} catch (...) {
}

const char *error(shutter_camera *camera) noexcept
try {
	return camera ? camera->error() : openError().c_str();
} catch (...) {
	return "out of memory";
}

/* libcamera says "v0.4.0" or "0.4.0", with more behind it for some distributions. */
const char *runningVersion()
{
	const std::string &version = libcamera::CameraManager::version();
	return version.c_str() + version.starts_with('v');
}

} /* namespace */

extern "C" __attribute__((visibility("default"))) const shutter_camera_plugin *shutter_camera_plugin(void) noexcept
try {
	static const struct shutter_camera_plugin plugin = {
		.version = SHUTTER_CAMERA_PLUGIN_VERSION,
		.size = sizeof(struct shutter_camera_plugin),
		.built_with = shutter::compat::kBuiltWith,
		.running = runningVersion(),
		.open = openCamera,
		.describe = describe,
		.configure = configure,
		.start = start,
		.stop = stop,
		.descriptor = descriptor,
		.next = next,
		.read = readFrame,
		.queue = queue,
		.set_controls = setControls,
		.close = closeCamera,
		.error = error,
	};
	return &plugin;
} catch (...) {
	return nullptr;
}
