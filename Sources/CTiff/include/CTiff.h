// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// DNG files through libtiff, whose functions take variable arguments, which Swift does not call.

#include <stddef.h>
#include <stdint.h>

// What is in one. Tags are those of the DNG specification 1.4 and of EXIF 2.31.
struct ctiff_dng {
    // Of the Bayer picture. Samples of more than 8 bits are little-endian 16-bit words, or packed as CSI-2 packs them.
    const uint8_t *bytes;
    uint32_t width, height; // pixels
    uint32_t stride;        // bytes from one row to the next
    uint8_t bits;           // of a sample: 8, 10, 12, 14 or 16
    uint8_t is_packed;
    uint8_t pattern[4]; // the colours of the upper left 2x2: 0 red, 1 green, 2 blue

    float black[4];     // of each of these, in the samples' unit
    uint32_t white;     // the same
    float matrix[9];    // ColorMatrix1: XYZ (D65) to the camera's colours, by rows
    float neutral[3];   // AsShotNeutral: a grey in the camera's colours

    uint16_t orientation; // EXIF's 1…8
    const char *make, *model, *software;
    const char *date_time;   // "2026:11:29 07:55:41"
    const char *sub_second;  // "375"
    const char *offset_time; // "+05:30"
    double exposure;         // seconds; 0 = not known
    uint16_t iso;            // 0 = not known
};

// Writes it to a descriptor, which is closed. 0, or a negative errno; `words` then says what libtiff says.
int ctiff_write_dng(int file, const struct ctiff_dng *dng, char *words, size_t size);
