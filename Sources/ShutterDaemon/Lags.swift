// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore

/// The times of the last photos, for `lag`.
struct Lags {
    /// Photos that are remembered.
    static let most = 1000

    private var photos: [SavedPhoto] = []
    private var next = 0

    mutating func add(_ photo: SavedPhoto) {
        if photos.count < Self.most {
            photos.append(photo)
        } else {
            photos[next] = photo
            next = (next + 1) % Self.most
        }
    }

    /// `lag` is signed; the rest is counted from the press too, in the order in which it happens.
    var report: [String: JSONValue] {
        func times(_ instant: (SavedPhoto) -> Timestamp) -> JSONValue {
            Distribution(photos.map { (instant($0) - $0.press).microseconds })?.json ?? .null
        }
        return [
            "photos": .int(Int64(photos.count)), "lag": times(\.exposureCentre), "accepted": times(\.accepted), "encoded": times(\.encoded),
            "synced": times(\.synced),
        ]
    }
}
