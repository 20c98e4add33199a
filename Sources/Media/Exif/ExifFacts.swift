// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import CExif
import ShutterCore

/// What goes into a photo's EXIF segment.
struct ExifFacts {
    var settings: PhotoSettings
    var metadata: FrameMetadata
    /// The camera's own name, where the settings give it none.
    var camera = ""
    /// Pixels of the photo.
    var width: Int
    var height: Int
    /// How the picture must be turned to stand upright.
    var orientation: UInt8 = 1
    /// The exposure's centre.
    var time: ExifTime

    /// Bytes of an APP1 segment without marker and length.
    static let largest = 65_533

    /// The segment's content, with the thumbnail if it fits.
    func segment(thumbnail: [UInt8]) -> [UInt8] {
        let block = ExifBlock()
        fillMain(block)
        fillExposure(block)
        guard !thumbnail.isEmpty else { return block.serialised() }
        let without = block.serialised()
        // IFD1 itself is below 200 bytes.
        guard without.count + thumbnail.count + 200 <= Self.largest else { return without }
        block.thumbnail = thumbnail
        block.set(EXIF_IFD_1, EXIF_TAG_COMPRESSION, short: 6)
        fillResolution(block, EXIF_IFD_1)
        return block.serialised()
    }

    var model: String { settings.model.isEmpty ? camera : settings.model }

    private func fillMain(_ block: ExifBlock) {
        for (tag, text) in [
            (EXIF_TAG_MAKE, settings.make), (EXIF_TAG_MODEL, model), (EXIF_TAG_SOFTWARE, settings.software),
        ] where !text.isEmpty {
            block.set(EXIF_IFD_0, tag, text: text)
        }
        block.set(EXIF_IFD_0, EXIF_TAG_ORIENTATION, short: UInt16(orientation))
        fillResolution(block, EXIF_IFD_0)
        // 1: chroma samples lie between the luma samples, as in JPEG.
        block.set(EXIF_IFD_0, EXIF_TAG_YCBCR_POSITIONING, short: 1)
        block.set(EXIF_IFD_0, EXIF_TAG_DATE_TIME, text: time.dateTime)

        for tag in [EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_DATE_TIME_DIGITIZED] {
            block.set(EXIF_IFD_EXIF, tag, text: time.dateTime)
        }
        for tag in [EXIF_TAG_SUB_SEC_TIME, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, EXIF_TAG_SUB_SEC_TIME_DIGITIZED] {
            block.set(EXIF_IFD_EXIF, tag, text: time.subSecond)
        }
        for tag in [EXIF_TAG_OFFSET_TIME, EXIF_TAG_OFFSET_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_DIGITIZED] {
            block.set(EXIF_IFD_EXIF, tag, text: time.offset)
        }
    }

    private func fillResolution(_ block: ExifBlock, _ ifd: ExifIfd) {
        block.set(ifd, EXIF_TAG_X_RESOLUTION, rational: (72, 1))
        block.set(ifd, EXIF_TAG_Y_RESOLUTION, rational: (72, 1))
        block.set(ifd, EXIF_TAG_RESOLUTION_UNIT, short: 2)
    }

    private func fillExposure(_ block: ExifBlock) {
        // 2.31 is the first version with OffsetTime.
        block.set(EXIF_IFD_EXIF, EXIF_TAG_EXIF_VERSION, undefined: Array("0231".utf8))
        block.set(EXIF_IFD_EXIF, EXIF_TAG_FLASH_PIX_VERSION, undefined: Array("0100".utf8))
        block.set(EXIF_IFD_EXIF, EXIF_TAG_COMPONENTS_CONFIGURATION, undefined: [1, 2, 3, 0])
        block.set(EXIF_IFD_EXIF, EXIF_TAG_COLOR_SPACE, short: 1)
        block.set(EXIF_IFD_EXIF, EXIF_TAG_PIXEL_X_DIMENSION, long: UInt32(clamping: width))
        block.set(EXIF_IFD_EXIF, EXIF_TAG_PIXEL_Y_DIMENSION, long: UInt32(clamping: height))
        if metadata.exposureTime > .zero {
            block.set(EXIF_IFD_EXIF, EXIF_TAG_EXPOSURE_TIME, rational: Self.seconds(metadata.exposureTime))
        }
        let iso = (100 * (metadata.analogueGain ?? 0) * (metadata.digitalGain ?? 1)).rounded()
        if iso.isFinite, iso > 0 {
            // 2: the value is the recommended exposure index.
            block.set(EXIF_IFD_EXIF, EXIF_TAG_ISO_SPEED_RATINGS, short: UInt16(min(65535, max(1, iso))))
            block.set(EXIF_IFD_EXIF, EXIF_TAG_SENSITIVITY_TYPE, short: 2)
        }
        if let bias = metadata.exposureValue, bias.isFinite {
            block.set(EXIF_IFD_EXIF, EXIF_TAG_EXPOSURE_BIAS_VALUE, signed: (Int32(min(99, max(-99, bias)) * 100), 100))
        }
        if let zoom = metadata.digitalZoom { setPositive(block, EXIF_TAG_DIGITAL_ZOOM_RATIO, zoom) }
        if let fNumber = settings.lens.fNumber { setPositive(block, EXIF_TAG_FNUMBER, fNumber) }
        if let length = settings.lens.focalLength { setPositive(block, EXIF_TAG_FOCAL_LENGTH, length) }
    }

    private func setPositive(_ block: ExifBlock, _ tag: ExifTag, _ value: Double) {
        guard value > 0, value < 1e6 else { return }
        block.set(EXIF_IFD_EXIF, tag, rational: (UInt32((value * 100).rounded()), 100))
    }

    /// Whole microseconds as long as they fit, which is for more than an hour.
    private static func seconds(_ duration: Duration) -> (UInt32, UInt32) {
        if let microseconds = UInt32(exactly: duration.microseconds) { return (microseconds, 1_000_000) }
        return (UInt32(clamping: duration.microseconds / 1_000_000), 1)
    }
}
