// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <libcamera/camera.h>
#include <libcamera/camera_manager.h>

namespace shutter {

using SharedManager = std::shared_ptr<libcamera::CameraManager>;

/*
 * libcamera's CameraManager: one for the process, started by whoever needs it first and stopped with whoever lets go of
 * it last. While it runs it follows what is plugged in; after that the next start looks for all cameras anew. So each
 * open() sees the cameras that are there now.
 */
int startManager(SharedManager &manager, std::string &words);

/*
 * The camera of that id, "" = the first. -ENODEV: there is none. -EBUSY: there is none, and another program has a device,
 * which some pipelines do not list then; looked for when this program has no camera, isOnly. -EACCES: libcamera finds no
 * camera at all, and a device may not be opened.
 */
int findCamera(libcamera::CameraManager &manager, const std::string &id, std::shared_ptr<libcamera::Camera> &camera, bool isOnly,
	       std::string &words);

/*
 * Who has a camera's media device, in words: "process 1234 (rpicam-still)"; "" = nobody. libcamera marks those that are
 * in use with a lock on the file. Not to be called while this program has another camera: to look at a file would let go
 * of its own lock on it.
 */
std::string holder();

} /* namespace shutter */
