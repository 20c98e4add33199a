// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// The one place that knows how libcamera's versions differ: 0.0.3 (Debian 12), 0.4.0 (Debian 13), 0.7.2 (what was
// newest when this was written).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <libcamera/libcamera.h>

#define SHUTTER_LIBCAMERA_AT_LEAST(major, minor, patch) \
	(LIBCAMERA_VERSION_MAJOR * 1000000 + LIBCAMERA_VERSION_MINOR * 1000 + LIBCAMERA_VERSION_PATCH >= \
	 (major) * 1000000 + (minor) * 1000 + (patch))

#define SHUTTER_TEXT_OF(x) #x
#define SHUTTER_TEXT(x) SHUTTER_TEXT_OF(x)

namespace shutter::compat {

constexpr const char *kBuiltWith = SHUTTER_TEXT(LIBCAMERA_VERSION_MAJOR) "." SHUTTER_TEXT(
	LIBCAMERA_VERSION_MINOR) "." SHUTTER_TEXT(LIBCAMERA_VERSION_PATCH);

/* Orientation: a flip that the camera is asked for, as one of EXIF's 1…4, and what validate() made of it. */

#if SHUTTER_LIBCAMERA_AT_LEAST(0, 2, 0)

inline void askForFlip(libcamera::CameraConfiguration &config, uint8_t flip)
{
	/* The enumerators' values are EXIF's. */
	config.orientation = static_cast<libcamera::Orientation>(flip);
}

/* How pictures have to be turned to be as libcamera's Rotation property says that they would be upright. */
inline uint8_t grantedTurn(const libcamera::CameraConfiguration &config)
{
	return static_cast<uint8_t>(config.orientation);
}

#else

inline void askForFlip(libcamera::CameraConfiguration &config, uint8_t flip)
{
	using libcamera::Transform;
	constexpr std::array<Transform, 5> transforms = { Transform::Identity, Transform::Identity, Transform::HFlip,
							  Transform::HVFlip, Transform::VFlip };
	config.transform = transforms.at(flip);
}

inline uint8_t grantedTurn(const libcamera::CameraConfiguration &config)
{
	using libcamera::Transform;
	switch (config.transform) {
	case Transform::Identity: return 1;
	case Transform::HFlip: return 2;
	case Transform::Rot180: return 3;
	case Transform::VFlip: return 4;
	case Transform::Transpose: return 5;
	case Transform::Rot270: return 6; /* turned by 270°, so by 90° more */
	case Transform::Rot180Transpose: return 7;
	case Transform::Rot90: return 8;
	}
	return 1;
}

#endif

/*
 * The sensor's mode. Before 0.2 there is none to ask for: there a raw stream of the mode's size leads to it, since the
 * Raspberry Pi pipeline takes its mode from that. No buffers are needed for it: the pipeline has its own.
 */
#if SHUTTER_LIBCAMERA_AT_LEAST(0, 2, 0)

constexpr bool kModeNeedsRawStream = false;

inline void askForMode(libcamera::CameraConfiguration &config, const libcamera::Size &size, unsigned int bitDepth)
{
	libcamera::SensorConfiguration sensor;
	sensor.outputSize = size;
	sensor.bitDepth = bitDepth;
	config.sensorConfig = sensor;
}

inline void leaveMode(libcamera::CameraConfiguration &config)
{
	config.sensorConfig.reset();
}

/* What was asked for and granted; empty: the pipeline chose. */
inline std::string modeOf(const libcamera::CameraConfiguration &config)
{
	if (!config.sensorConfig)
		return {};
	return config.sensorConfig->outputSize.toString() + ", " + std::to_string(config.sensorConfig->bitDepth) + " bits";
}

#else

constexpr bool kModeNeedsRawStream = true;

inline void askForMode(libcamera::CameraConfiguration &, const libcamera::Size &, unsigned int) {}
inline void leaveMode(libcamera::CameraConfiguration &) {}
inline std::string modeOf(const libcamera::CameraConfiguration &) { return {}; }

#endif

/* Roles: a vector before 0.1, a span since. */
inline std::unique_ptr<libcamera::CameraConfiguration>
generateConfiguration(libcamera::Camera &camera, std::initializer_list<libcamera::StreamRole> roles)
{
	return camera.generateConfiguration(roles);
}

/* Controls: what a ControlId knows about itself. */

constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

#if SHUTTER_LIBCAMERA_AT_LEAST(0, 4, 0)

/* 0 for a scalar, kAnySize for an array of any size. */
inline std::size_t arraySize(const libcamera::ControlId &id)
{
	return id.isArray() ? id.size() : 0;
}

inline bool isInput(const libcamera::ControlId &id)
{
	return id.isInput();
}

constexpr bool isPoint(libcamera::ControlType type)
{
	return type == libcamera::ControlTypePoint;
}

constexpr bool isUnsigned16(libcamera::ControlType type)
{
	return type == libcamera::ControlTypeUnsigned16;
}

constexpr bool isUnsigned32(libcamera::ControlType type)
{
	return type == libcamera::ControlTypeUnsigned32;
}

#else

/* There a ControlId does not know whether it is an array. These are all that are, from the control's declarations. */
inline std::size_t arraySize(const libcamera::ControlId &id)
{
	struct Array {
		std::string_view name;
		std::size_t size;
	};
	static constexpr std::array<Array, 5> arrays = { { { "ColourGains", 2 },
							   { "SensorBlackLevels", 4 },
							   { "ColourCorrectionMatrix", 9 },
							   { "FrameDurationLimits", 2 },
							   { "AfWindows", kAnySize } } };
	for (const Array &array : arrays) {
		if (array.name == id.name())
			return array.size;
	}
	return id.type() == libcamera::ControlTypeString ? kAnySize : 0;
}

inline bool isInput(const libcamera::ControlId &)
{
	return true;
}

constexpr bool isPoint(libcamera::ControlType)
{
	return false;
}

constexpr bool isUnsigned16(libcamera::ControlType)
{
	return false;
}

constexpr bool isUnsigned32(libcamera::ControlType)
{
	return false;
}

#endif

/*
 * libcamera's own virtual camera, the one that stands on no device. At least in 0.4.0 its frames' status and number are
 * memory that nobody has written to, and it says yes to any colour space and draws in limited range.
 */
inline bool isVirtual([[maybe_unused]] const libcamera::Camera &camera)
{
#if SHUTTER_LIBCAMERA_AT_LEAST(0, 4, 0)
	return !camera.properties().get(libcamera::properties::SystemDevices).has_value();
#else
	return false;
#endif
}

/* FrameStartup, of the newest: frames of no use while the algorithms start. It comes after those that all versions have. */
inline bool isStartup(libcamera::FrameMetadata::Status status)
{
	return static_cast<int>(status) > static_cast<int>(libcamera::FrameMetadata::FrameCancelled);
}

/*
 * The log. A line is "[time] [thread] LEVEL Category file:line message" in all of these versions; 0.4 has a thread's
 * name in the brackets too. "*" is no category for logSetLevel() before 0.3, and it reaches only categories that have
 * logged already. So the default (INFO) stands, LIBCAMERA_LOG_LEVELS works as ever, and the daemon leaves out what is
 * below its level.
 */
inline void setLogStream(std::ostream *stream)
{
	libcamera::logSetStream(stream);
}

/* Metadata by name and value; a const list since 0.7. */
inline const libcamera::ControlList &metadata(libcamera::Request &request)
{
	return request.metadata();
}

} /* namespace shutter::compat */
