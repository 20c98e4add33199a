// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Picture.h"

#include <array>
#include <string>

#include <libcamera/formats.h>

namespace shutter {

namespace {

namespace formats = libcamera::formats;

constexpr std::array<FormatLayout, 5> kFormats = { {
	{ formats::YUV420, 3, 2, 2, 1, true },
	{ formats::NV12, 2, 1, 2, 1, true },
	{ formats::BGR888, 1, 1, 1, 3, false },
	{ formats::RGB888, 1, 1, 1, 3, false },
	{ formats::XRGB8888, 1, 1, 1, 4, false },
} };

/* Where right and down go: a turn as a matrix. x to the right, y downwards. */
struct Turn {
	int xx, xy, yx, yy;

	constexpr bool operator==(const Turn &) const = default;
	constexpr Turn after(const Turn &first) const
	{
		return { xx * first.xx + xy * first.yx, xx * first.xy + xy * first.yy,
			 yx * first.xx + yy * first.yx, yx * first.xy + yy * first.yy };
	}
};

constexpr std::array<Turn, 8> kTurns = { {
	{ 1, 0, 0, 1 },   /* 1: none */
	{ -1, 0, 0, 1 },  /* 2: left and right change places */
	{ -1, 0, 0, -1 }, /* 3: by 180° */
	{ 1, 0, 0, -1 },  /* 4: top and bottom change places */
	{ 0, 1, 1, 0 },   /* 5: about the main diagonal */
	{ 0, -1, 1, 0 },  /* 6: by 90° clockwise */
	{ 0, -1, -1, 0 }, /* 7: about the other diagonal */
	{ 0, 1, -1, 0 },  /* 8: by 90° counter-clockwise */
} };

constexpr uint8_t composed(uint8_t first, uint8_t second)
{
	const Turn turn = kTurns[second - 1].after(kTurns[first - 1]);
	uint8_t number = 1;
	while (!(kTurns[number - 1] == turn))
		number++;
	return number;
}

static_assert(composed(6, 6) == 3 && composed(6, 8) == 1 && composed(3, 3) == 1 && composed(2, 3) == 4);
/* Turned clockwise and then mirrored is not mirrored and then turned clockwise. */
static_assert(composed(6, 2) == 5 && composed(2, 6) == 7);

} /* namespace */

std::span<const FormatLayout> usableFormats()
{
	return kFormats;
}

const FormatLayout *layoutOf(const libcamera::PixelFormat &format)
{
	for (const FormatLayout &layout : kFormats) {
		if (layout.format == format)
			return &layout;
	}
	return nullptr;
}

uint8_t turnedBy(uint8_t first, uint8_t second)
{
	const auto known = [](uint8_t turn) -> uint8_t { return turn >= 1 && turn <= 8 ? turn : 1; };
	return composed(known(first), known(second));
}

unsigned int bitDepthOf(const libcamera::PixelFormat &format)
{
	unsigned int depth = 0;
	for (const char character : format.toString()) {
		if (character >= '0' && character <= '9')
			depth = depth * 10 + (character - '0');
		else if (character == '_' || depth)
			break;
	}
	return depth;
}

} /* namespace shutter */
