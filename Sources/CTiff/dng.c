// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "CTiff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>
#include <unistd.h>

// libtiff's handler is the process's; the words are the thread's that caused them.
static _Thread_local char said[256];

static void hear(const char *module, const char *format, va_list arguments)
{
    (void)module;
    vsnprintf(said, sizeof(said), format, arguments);
}

// One row of samples as 16-bit words.
static void unpack(const struct ctiff_dng *dng, const uint8_t *row, uint16_t *out)
{
    const uint32_t width = dng->width;
    if (dng->bits == 8) {
        for (uint32_t x = 0; x < width; x++)
            out[x] = row[x];
    } else if (!dng->is_packed) {
        for (uint32_t x = 0; x < width; x++)
            out[x] = (uint16_t)(row[2 * x] | row[2 * x + 1] << 8);
    } else if (dng->bits == 10) {
        // MIPI CSI-2: the upper eight bits of four samples, then the lower two of each, the first in the lowest bits.
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *group = row + x / 4 * 5;
            out[x] = (uint16_t)(group[x % 4] << 2 | (group[4] >> (x % 4 * 2) & 3));
        }
    } else if (dng->bits == 12) {
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *group = row + x / 2 * 3;
            out[x] = (uint16_t)(group[x % 2] << 4 | (group[2] >> (x % 2 * 4) & 15));
        }
    } else {
        // 14 bits: four samples in seven bytes.
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *group = row + x / 4 * 7;
            const uint32_t low = group[4] | (uint32_t)group[5] << 8 | (uint32_t)group[6] << 16;
            out[x] = (uint16_t)(group[x % 4] << 6 | (low >> (x % 4 * 6) & 63));
        }
    }
}

static int describe(TIFF *tiff, const struct ctiff_dng *dng)
{
    static const uint8_t version[] = { 1, 4, 0, 0 }, backward[] = { 1, 1, 0, 0 };
    static const uint16_t repeat[] = { 2, 2 };
    return TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, 0) && TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, dng->width) &&
           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, dng->height) && TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16) &&
           TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) && TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE) &&
           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_CFA) && TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
           TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 64) && TIFFSetField(tiff, TIFFTAG_ORIENTATION, dng->orientation) &&
           TIFFSetField(tiff, TIFFTAG_MAKE, dng->make) && TIFFSetField(tiff, TIFFTAG_MODEL, dng->model) &&
           TIFFSetField(tiff, TIFFTAG_SOFTWARE, dng->software) && TIFFSetField(tiff, TIFFTAG_DATETIME, dng->date_time) &&
           TIFFSetField(tiff, TIFFTAG_DNGVERSION, version) && TIFFSetField(tiff, TIFFTAG_DNGBACKWARDVERSION, backward) &&
           TIFFSetField(tiff, TIFFTAG_UNIQUECAMERAMODEL, dng->model) && TIFFSetField(tiff, TIFFTAG_CFAREPEATPATTERNDIM, repeat) &&
           TIFFSetField(tiff, TIFFTAG_CFAPATTERN, 4, dng->pattern) && TIFFSetField(tiff, TIFFTAG_BLACKLEVELREPEATDIM, repeat) &&
           TIFFSetField(tiff, TIFFTAG_BLACKLEVEL, 4, dng->black) && TIFFSetField(tiff, TIFFTAG_WHITELEVEL, 1, &dng->white) &&
           TIFFSetField(tiff, TIFFTAG_COLORMATRIX1, 9, dng->matrix) && TIFFSetField(tiff, TIFFTAG_ASSHOTNEUTRAL, 3, dng->neutral) &&
           TIFFSetField(tiff, TIFFTAG_CALIBRATIONILLUMINANT1, 21 /* D65 */);
}

static int describeExposure(TIFF *tiff, const struct ctiff_dng *dng)
{
    static const uint8_t version[] = { '0', '2', '3', '1' };
    return TIFFSetField(tiff, EXIFTAG_EXIFVERSION, version) && TIFFSetField(tiff, EXIFTAG_DATETIMEORIGINAL, dng->date_time) &&
           TIFFSetField(tiff, EXIFTAG_SUBSECTIMEORIGINAL, dng->sub_second) &&
           TIFFSetField(tiff, EXIFTAG_OFFSETTIMEORIGINAL, dng->offset_time) &&
           (dng->exposure <= 0 || TIFFSetField(tiff, EXIFTAG_EXPOSURETIME, dng->exposure)) &&
           (dng->iso == 0 || TIFFSetField(tiff, EXIFTAG_ISOSPEEDRATINGS, 1, &dng->iso));
}

static int write_picture(TIFF *tiff, const struct ctiff_dng *dng)
{
    uint16_t *row = malloc((size_t)dng->width * sizeof(*row));
    if (!row)
        return 0;
    int good = 1;
    for (uint32_t y = 0; good && y < dng->height; y++) {
        unpack(dng, dng->bytes + (size_t)y * dng->stride, row);
        good = TIFFWriteScanline(tiff, row, y, 0) > 0;
    }
    free(row);
    return good;
}

static int write_all(TIFF *tiff, const struct ctiff_dng *dng)
{
    uint64_t exposure = 0;
    if (!describe(tiff, dng) || !write_picture(tiff, dng) || !TIFFWriteDirectory(tiff))
        return 0;
    // Its place is known only when it is written: the picture's directory is written once more, with it.
    if (TIFFCreateEXIFDirectory(tiff) || !describeExposure(tiff, dng) || !TIFFWriteCustomDirectory(tiff, &exposure))
        return 0;
    return TIFFSetDirectory(tiff, 0) && TIFFSetField(tiff, TIFFTAG_EXIFIFD, exposure) && TIFFRewriteDirectory(tiff);
}

int ctiff_write_dng(int file, const struct ctiff_dng *dng, char *words, size_t size)
{
    said[0] = '\0';
    TIFFSetErrorHandler(hear);
    TIFFSetWarningHandler(NULL);
    errno = 0;
    TIFF *tiff = TIFFFdOpen(file, "photo.dng", "wl");
    if (!tiff) {
        const int error = errno ? errno : EIO;
        close(file);
        snprintf(words, size, "%s", said);
        return -error;
    }
    const int good = write_all(tiff, dng);
    const int error = errno;
    TIFFClose(tiff);
    snprintf(words, size, "%s", said);
    // Flushing at the end may fail, too.
    return good && !said[0] ? 0 : error ? -error : -EIO;
}
