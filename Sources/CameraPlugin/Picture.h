// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <libcamera/pixel_format.h>

namespace shutter {

/* How the planes of a format lie when nothing is between them. */
struct FormatLayout {
	libcamera::PixelFormat format;
	unsigned int planes;
	/* Of the planes after the first: stride divided by this, rows divided by that. */
	unsigned int strideDivisor;
	unsigned int rowDivisor;
	/* Bytes of one row of the first plane, for one pixel. */
	unsigned int bytesPerPixel;
	bool isYuv;

	unsigned int stride(unsigned int plane, unsigned int stride) const { return plane ? stride / strideDivisor : stride; }
	unsigned int rows(unsigned int plane, unsigned int height) const
	{
		return plane ? (height + rowDivisor - 1) / rowDivisor : height;
	}
};

/* What the daemon can encode, the best first: the encoder takes YUV as it is. */
std::span<const FormatLayout> usableFormats();
/* nullptr: not usable. */
const FormatLayout *layoutOf(const libcamera::PixelFormat &format);

/* The turn that is the same as turning by \a first and then by \a second; all of them EXIF's 1…8. */
uint8_t turnedBy(uint8_t first, uint8_t second);

/* The bits of a Bayer format, from its name: "SBGGR10_CSI2P" has 10. 0: not known. */
unsigned int bitDepthOf(const libcamera::PixelFormat &format);

} /* namespace shutter */
