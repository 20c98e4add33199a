// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How photos are made, as the configuration says it.
package struct PhotoSettings: Equatable, Sendable {
    /// 1…100, as libjpeg counts it.
    package var quality: Int
    /// Whether chroma is kept in full where the frame has it so: 4:4:4. What Pi cameras deliver is 4:2:0, and stays so.
    package var hasFullChroma = false
    /// The word that chose these, for the sidecar.
    package var prioritize: String?
    /// The box that the thumbnail fits in, pixels; nil: no thumbnail.
    package var thumbnail: Size?
    /// Whether a JSON file with all that the camera said is put next to each photo.
    package var sidecar: Bool
    package var formats: Set<Format>
    package var make: String
    package var model: String
    package var software: String
    /// What only the user can know about the lens.
    package var lens: Lens
    /// Threads that encode and save.
    package var workers: Int

    package init(
        quality: Int = 93, thumbnail: Size? = Size(width: 320, height: 240), sidecar: Bool = true,
        formats: Set<Format> = [.jpeg], make: String = "shutterd",
        model: String = "", software: String = "shutterd", lens: Lens = Lens(),
        workers: Int = usualWorkers
    ) {
        self.quality = quality
        self.thumbnail = thumbnail
        self.sidecar = sidecar
        self.formats = formats
        self.make = make
        self.model = model
        self.software = software
        self.lens = lens
        self.workers = workers
    }

    /// Two, so that one photo is encoded while another is synced; one where there is only one core.
    package static var usualWorkers: Int { max(1, min(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }

    /// Pixels.
    package struct Size: Equatable, Sendable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// A photo without a raw picture is a JPEG in any case.
    package enum Format: String, Sendable { case jpeg, dng }

    package struct Lens: Equatable, Sendable {
        package var fNumber: Double?
        /// Millimetres.
        package var focalLength: Double?

        package init(fNumber: Double? = nil, focalLength: Double? = nil) {
            self.fNumber = fNumber
            self.focalLength = focalLength
        }
    }
}

/// Where photos and clips go, as the configuration says it.
package struct StorageSettings: Equatable, Sendable {
    /// The folder that holds `DCIM`; made when it is missing.
    package var root: String
    /// The folder of the counter's file; made when it is missing.
    package var state: String
    /// Bytes that are left free: below, photos are refused before exposure.
    package var reserve: UInt64

    package init(root: String, state: String, reserve: UInt64) {
        self.root = root
        self.state = state
        self.reserve = reserve
    }
}
