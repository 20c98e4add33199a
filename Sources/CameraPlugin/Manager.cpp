// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Manager.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include <libcamera/base/unique_fd.h>

#include "Log.h"
#include "Values.h"

namespace shutter {

namespace {

bool isDenied(const std::filesystem::path &path)
{
	return ::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) < 0 && errno == EACCES;
}

/* Devices in \a folder whose names begin with one of \a names and that may not be opened; all there are in \a count. */
std::vector<std::string> deniedIn(const char *folder, const std::vector<std::string> &names, std::size_t &count)
{
	std::vector<std::string> denied;
	std::error_code error;
	for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
		for (const std::string &name : names) {
			if (!entry->path().filename().string().starts_with(name))
				continue;
			count++;
			if (isDenied(entry->path()))
				denied.push_back(entry->path().string());
			break;
		}
	}
	std::sort(denied.begin(), denied.end());
	return denied;
}

/* The device whose permissions may be why there is no camera; "" = none. */
std::string deniedDevice()
{
	std::size_t count = 0;
	const auto devices = deniedIn("/dev", { "media", "video", "v4l-subdev" }, count);
	if (!devices.empty())
		return devices.front();
	/* One heap that may be opened is enough. */
	count = 0;
	const auto heaps = deniedIn("/dev/dma_heap", { "" }, count);
	return heaps.empty() || heaps.size() < count ? "" : heaps.front();
}

} /* namespace */

int startManager(SharedManager &manager, std::string &words)
{
	static std::weak_ptr<libcamera::CameraManager> running;
	manager = running.lock();
	if (manager)
		return 0;
	Log::begin();
	auto started = std::make_unique<libcamera::CameraManager>();
	const int ret = started->start();
	if (ret < 0) {
		Log::drop();
		words = std::string("libcamera does not start: ") + std::strerror(-ret);
		return ret == -EPERM ? -EACCES : ret;
	}
	manager = SharedManager(started.release(), [](libcamera::CameraManager *last) {
		last->stop();
		delete last;
		Log::drop();
	});
	running = manager;
	return 0;
}

int findCamera(libcamera::CameraManager &manager, const std::string &id, std::shared_ptr<libcamera::Camera> &camera, bool isOnly,
	       std::string &words)
{
	const auto cameras = manager.cameras();
	std::vector<std::string> ids;
	for (const auto &candidate : cameras) {
		if (id.empty() || candidate->id() == id) {
			camera = candidate;
			return 0;
		}
		ids.push_back(candidate->id());
	}
	if (!ids.empty())
		words = "there is no camera \"" + id + "\"; the nearest is \"" + nearest(id, ids) + "\"";
	if (const std::string process = isOnly ? holder() : ""; !process.empty()) {
		words += (words.empty() ? "" : "; ") + process + " has a camera";
		return -EBUSY;
	}
	if (!ids.empty())
		return -ENODEV;
	const std::string denied = deniedDevice();
	if (!denied.empty()) {
		words = "libcamera finds no camera, and " + denied + " may not be opened; add the user to the group video";
		return -EACCES;
	}
	words = "libcamera finds no camera; check the cable, and the camera's overlay in config.txt";
	return -ENODEV;
}

std::string holder()
{
	std::error_code error;
	for (std::filesystem::directory_iterator entry("/dev", error), end; !error && entry != end; entry.increment(error)) {
		if (!entry->path().filename().string().starts_with("media"))
			continue;
		const libcamera::UniqueFD device(::open(entry->path().c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
		struct flock lock = {};
		lock.l_type = F_WRLCK;
		lock.l_whence = SEEK_SET;
		if (!device.isValid() || ::fcntl(device.get(), F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
			continue;
		std::string name;
		std::ifstream("/proc/" + std::to_string(lock.l_pid) + "/comm") >> name;
		return "process " + std::to_string(lock.l_pid) + (name.empty() ? "" : " (" + name + ")");
	}
	return {};
}

} /* namespace shutter */
