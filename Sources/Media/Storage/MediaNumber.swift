// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// The number of a photo or clip: a folder `100SHUTR`…`999SHUTR` and 1…9999 in it.
package struct MediaNumber: Comparable, Hashable, Sendable {
    /// 100…999
    package let folder: Int
    /// 1…9999
    package let index: Int

    package static let first = MediaNumber(folder: 100, index: 1)!

    package init?(folder: Int, index: Int) {
        guard (100...999).contains(folder), (1...9999).contains(index) else { return nil }
        self.folder = folder
        self.index = index
    }

    /// The one after it; nil after the last of all.
    package var next: MediaNumber? {
        index < 9999 ? MediaNumber(folder: folder, index: index + 1) : MediaNumber(folder: folder + 1, index: 1)
    }

    /// `100SHUTR`
    package var folderName: String { "\(folder)SHUTR" }

    package static func < (left: MediaNumber, right: MediaNumber) -> Bool {
        (left.folder, left.index) < (right.folder, right.index)
    }

    /// The folder's number in `100SHUTR`; nil for any other name. FAT may show names in lower case.
    static func folder(_ name: String) -> Int? {
        let upper = name.uppercased()
        guard upper.utf8.count == 8, upper.hasSuffix("SHUTR"), let number = digits(upper.prefix(3)), number >= 100 else { return nil }
        return number
    }

    /// A number of decimal digits and nothing else (`Int` would take a sign as well).
    static func digits(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}

/// What a file is.
package enum MediaKind: Sendable, CaseIterable {
    case jpeg, raw, sidecar, clip, clipSidecar

    /// `IMG` or `MOV`.
    package var prefix: String {
        switch self {
        case .jpeg, .raw, .sidecar: "IMG"
        case .clip, .clipSidecar: "MOV"
        }
    }

    /// The end of its name.
    package var ending: String {
        switch self {
        case .jpeg: "JPG"
        case .raw: "DNG"
        case .sidecar, .clipSidecar: "JSON"
        case .clip: "MP4"
        }
    }

    package var isSidecar: Bool { self == .sidecar || self == .clipSidecar }
}

/// A file name such as `IMG_0001.JPG`, or its temporary `.IMG_0001.JPG.part`.
struct MediaName: Equatable {
    var kind: MediaKind
    /// 1…9999
    var index: Int

    init(_ kind: MediaKind, _ number: MediaNumber) {
        self.kind = kind
        index = number.index
    }

    /// Nil for any name that is not ours.
    init?(_ name: String) {
        let parts = name.uppercased().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 8,
            let kind = MediaKind.allCases.first(where: { $0.ending == parts[1] && parts[0].hasPrefix($0.prefix + "_") }), let index = MediaNumber.digits(parts[0].suffix(4)), index > 0
        else { return nil }
        self.kind = kind
        self.index = index
    }

    /// Nil for any name that is not one of our temporaries.
    init?(temporary name: String) {
        guard name.hasPrefix("."), name.hasSuffix(".part") else { return nil }
        self.init(String(name.dropFirst().dropLast(5)))
    }

    var final: String {
        let digits = String(index)
        return kind.prefix + "_" + String(repeating: "0", count: 4 - digits.count) + digits + "." + kind.ending
    }

    /// Hidden, and in the same folder: a rename must not cross file systems.
    var temporary: String { "." + final + ".part" }
}
