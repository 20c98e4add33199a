// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A wall-clock instant as EXIF writes it: local time, and how far that is from UTC.
struct ExifTime: Equatable {
    /// `2026:11:30 02:25:41`
    var dateTime: String
    /// Milliseconds, three digits.
    var subSecond: String
    /// `+01:00`
    var offset: String

    /// - Parameters:
    ///   - wall: nanoseconds since 1970.
    ///   - zone: seconds east of UTC; nil: what the system has for that instant.
    init(wall: Int64, zone: Int? = nil) {
        // 64 bits of nanoseconds end in 2262, so the year always has four digits.
        let clamped = max(wall, 0)
        let seconds = time_t(clamped / 1_000_000_000)
        let east = zone ?? Self.systemZone(at: seconds)
        var shifted = seconds + east
        var local = tm()
        gmtime_r(&shifted, &local)
        let date = [Int(local.tm_year) + 1900, Int(local.tm_mon) + 1, Int(local.tm_mday)]
        let time = [local.tm_hour, local.tm_min, local.tm_sec].map(Int.init)
        dateTime =
            Self.padded(date[0], 4) + ":" + date[1...].map { Self.padded($0, 2) }.joined(separator: ":") + " "
            + time.map { Self.padded($0, 2) }.joined(separator: ":")
        subSecond = Self.padded(Int(clamped % 1_000_000_000 / 1_000_000), 3)
        let minutes = east / 60
        offset = (minutes < 0 ? "-" : "+") + Self.padded(abs(minutes) / 60, 2) + ":" + Self.padded(abs(minutes) % 60, 2)
    }

    /// localtime_r(3), which need not look at the time zone again by itself; it may have been set since the start: tzset(3).
    private static func systemZone(at seconds: time_t) -> Int {
        var seconds = seconds
        var local = tm()
        tzset()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }

    private static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
