// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <libcamera/camera.h>

#include "Buffers.h"
#include "CCameraPlugin.h"

namespace shutter {

/* One of the sensor's modes. */
struct SensorMode {
	libcamera::Size size;
	unsigned int bitDepth;
	libcamera::PixelFormat format;
};

/* A configuration that the camera accepts. The first stream is the pictures'; the second, where there is one, Bayer. */
struct Proposal {
	std::unique_ptr<libcamera::CameraConfiguration> config;
	/* How pictures must still be turned, EXIF's. */
	uint8_t turn = 1;

	const libcamera::StreamConfiguration &picture() const { return config->at(0); }
	const libcamera::StreamConfiguration *raw() const { return config->size() > 1 ? &config->at(1) : nullptr; }
};

/*
 * Modes to try, in this order, so that the whole view is seen: from the smallest that is not smaller than what is
 * wished for. Empty: this camera has no modes to choose from.
 */
std::vector<SensorMode> modesFor(libcamera::Camera &camera, const shutter_camera_wish &wish);

/* The nearest to \a wish that the camera accepts, in \a mode, or in the one that libcamera chooses. */
int propose(libcamera::Camera &camera, const shutter_camera_wish &wish, const SensorMode *mode, Proposal &proposal, std::string &words);

/* Whether the mode that is now configured sees all of the sensor, as far as libcamera tells. */
bool seesAll(libcamera::Camera &camera);

/* Tells what \a config has become, from the validated configuration and the planes of \a buffers. */
int describe(const libcamera::StreamConfiguration &config, Buffers &buffers, uint8_t turn, shutter_camera_stream &stream, std::string &words);

} /* namespace shutter */
