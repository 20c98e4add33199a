// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Configurator.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "Compat.h"
#include "Picture.h"

using libcamera::CameraConfiguration;
using libcamera::ColorSpace;
using libcamera::PixelFormat;
using libcamera::Size;
using libcamera::StreamConfiguration;
using libcamera::StreamRole;

namespace shutter {

namespace {

using Config = std::unique_ptr<CameraConfiguration>;

/* nullptr: the camera has no such stream. */
Config configurationFor(libcamera::Camera &camera, bool withRaw)
{
	Config config;
	if (withRaw) {
		config = compat::generateConfiguration(camera, { StreamRole::StillCapture, StreamRole::Raw });
		return config && config->size() == 2 ? std::move(config) : nullptr;
	}
	config = compat::generateConfiguration(camera, { StreamRole::StillCapture });
	if (!config || config->empty())
		config = compat::generateConfiguration(camera, { StreamRole::Viewfinder });
	return config && !config->empty() ? std::move(config) : nullptr;
}

Size wishedSize(const shutter_camera_wish &wish, const StreamConfiguration &config)
{
	Size size(wish.width, wish.height);
	if (size.width && size.height)
		return size;
	/* As large as it gets. StillCapture's own size is that on most cameras; not all of them list sizes. */
	size = config.size;
	for (const PixelFormat &format : config.formats().pixelformats()) {
		if (layoutOf(format))
			size = std::max(size, config.formats().range(format).max);
	}
	return size;
}

/* A sensor's modes are the sizes of its Bayer formats. */
std::vector<SensorMode> allModes(libcamera::Camera &camera)
{
	std::vector<SensorMode> modes;
	const Config config = compat::generateConfiguration(camera, { StreamRole::Raw });
	if (!config || config->empty())
		return modes;
	const libcamera::StreamFormats &formats = config->at(0).formats();
	for (const PixelFormat &format : formats.pixelformats()) {
		const unsigned int depth = bitDepthOf(format);
		if (!depth || layoutOf(format))
			continue;
		for (const Size &size : formats.sizes(format))
			modes.push_back({ size, depth, format });
	}
	return modes;
}

void fillIn(CameraConfiguration &config, const shutter_camera_wish &wish, const SensorMode *mode, const PixelFormat &format,
	    bool isVirtual)
{
	StreamConfiguration &picture = config.at(0);
	picture.size = wishedSize(wish, picture);
	picture.pixelFormat = format;
	if (wish.buffer_count)
		picture.bufferCount = wish.buffer_count;
	/* What JPEG is made of: full range, Rec. 601. */
	if (!isVirtual)
		picture.colorSpace = ColorSpace::Sycc;
	/* Only flips can be asked of a sensor; pictures of cameras on their side are turned when they are shown. */
	compat::askForFlip(config, wish.orientation >= 1 && wish.orientation <= 4 ? wish.orientation : 1);
	if (config.size() > 1) {
		StreamConfiguration &raw = config.at(1);
		raw.bufferCount = picture.bufferCount;
		if (mode) {
			raw.size = mode->size;
			raw.pixelFormat = mode->format;
		}
	}
	if (mode)
		compat::askForMode(config, mode->size, mode->bitDepth);
	else
		compat::leaveMode(config);
}

uint8_t remainingTurn(const CameraConfiguration &config, const shutter_camera_wish &wish)
{
	return turnedBy(compat::grantedTurn(config), wish.orientation);
}

std::string offered(const StreamConfiguration &config)
{
	std::string words;
	for (const PixelFormat &format : config.formats().pixelformats())
		words += (words.empty() ? "" : ", ") + format.toString();
	return words.empty() ? "none" : words;
}

} /* namespace */

std::vector<SensorMode> modesFor(libcamera::Camera &camera, const shutter_camera_wish &wish)
{
	std::vector<SensorMode> modes = allModes(camera);
	if (modes.size() < 2)
		return {};
	const auto area = [](const SensorMode &mode) { return static_cast<uint64_t>(mode.size.width) * mode.size.height; };
	/* By size; of the same size the one with most bits first. */
	std::sort(modes.begin(), modes.end(), [&](const SensorMode &a, const SensorMode &b) {
		return area(a) != area(b) ? area(a) < area(b) : a.bitDepth > b.bitDepth;
	});
	modes.erase(std::unique(modes.begin(), modes.end(), [](const SensorMode &a, const SensorMode &b) { return a.size == b.size; }),
		    modes.end());
	const SensorMode largest = modes.back();
	const Size wanted = wish.width && wish.height ? Size(wish.width, wish.height) : largest.size;
	std::erase_if(modes, [&](const SensorMode &mode) { return mode.size.width < wanted.width || mode.size.height < wanted.height; });
	/* More than the sensor has is wished for: scaled up from the largest. */
	if (modes.empty())
		modes.push_back(largest);
	return modes;
}

int propose(libcamera::Camera &camera, const shutter_camera_wish &wish, const SensorMode *mode, Proposal &proposal, std::string &words)
{
	const bool wantsRaw = wish.wants_raw || (mode && compat::kModeNeedsRawStream);
	for (const bool withRaw : { true, false }) {
		if (withRaw && !wantsRaw)
			continue;
		Config config = configurationFor(camera, withRaw);
		if (!config) {
			words = "the camera has no stream of pictures";
			continue;
		}
		const std::vector<PixelFormat> formats = config->at(0).formats().pixelformats();
		words = "none of the camera's formats can be used; it offers " + offered(config->at(0));
		for (const FormatLayout &layout : usableFormats()) {
			if (!formats.empty() && std::find(formats.begin(), formats.end(), layout.format) == formats.end())
				continue;
			fillIn(*config, wish, mode, layout.format, compat::isVirtual(camera));
			CameraConfiguration::Status status = config->validate();
			if (status == CameraConfiguration::Invalid && mode) {
				/* It takes no modes, or not this one. */
				compat::leaveMode(*config);
				status = config->validate();
			}
			if (status == CameraConfiguration::Invalid || !layoutOf(config->at(0).pixelFormat))
				continue;
			proposal.turn = remainingTurn(*config, wish);
			proposal.config = std::move(config);
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

bool seesAll(libcamera::Camera &camera)
{
	namespace properties = libcamera::properties;
	const auto crop = camera.properties().get(properties::ScalerCropMaximum);
	const auto areas = camera.properties().get(properties::PixelArrayActiveAreas);
	if (!crop || !areas || areas->empty())
		return true;
	const libcamera::Rectangle &all = (*areas)[0];
	/* Binning may leave out a few columns at the edges. */
	return crop->width * 100ull >= all.width * 98ull && crop->height * 100ull >= all.height * 98ull;
}

int describe(const StreamConfiguration &config, Buffers &buffers, uint8_t turn, shutter_camera_stream &stream, std::string &words)
{
	stream = {};
	std::snprintf(stream.format, sizeof(stream.format), "%s", config.pixelFormat.toString().c_str());
	stream.width = config.size.width;
	stream.height = config.size.height;
	stream.buffer_count = buffers.count();
	stream.frame_size = buffers.mapping(0).size();
	stream.orientation = turn;
	const std::vector<uint32_t> &offsets = buffers.mapping(0).offsets();

	const FormatLayout *layout = layoutOf(config.pixelFormat);
	if (!layout) {
		stream.is_raw = 1;
		stream.plane_count = 1;
		stream.planes[0] = { offsets[0], config.stride };
		return 0;
	}
	stream.plane_count = layout->planes;
	uint64_t next = offsets[0];
	for (unsigned int i = 0; i < layout->planes; i++) {
		const uint32_t stride = layout->stride(i, config.stride);
		const uint32_t rows = layout->rows(i, config.size.height);
		/* A frame buffer of one plane for a format of several: they follow each other. */
		const uint64_t offset = offsets.size() == layout->planes ? offsets[i] : next;
		const uint64_t rowBytes = i && layout->planes == 3 ? (config.size.width + 1) / 2 : config.size.width * layout->bytesPerPixel;
		if (rowBytes > stride || offset + static_cast<uint64_t>(stride) * (rows - 1) + rowBytes > stream.frame_size) {
			words = "plane " + std::to_string(i) + " of " + config.toString() + " does not fit its buffer";
			return -EINVAL;
		}
		stream.planes[i] = { static_cast<uint32_t>(offset), stride };
		next = offset + static_cast<uint64_t>(stride) * rows;
	}
	if (layout->isYuv && config.colorSpace) {
		stream.is_full_range = config.colorSpace->range == ColorSpace::Range::Full;
		stream.is_rec709 = config.colorSpace->ycbcrEncoding == ColorSpace::YcbcrEncoding::Rec709;
	}
	return 0;
}

} /* namespace shutter */
