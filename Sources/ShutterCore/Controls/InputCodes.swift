// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A key or button of an input device, by its number in linux/input-event-codes.h.
package struct InputKey: Hashable, Sendable, CustomStringConvertible {
    package var code: UInt16

    package init(code: UInt16) { self.code = code }

    /// A name of the table below, or a number; nil for all else.
    package init?(_ word: String) {
        if let code = Self.codes[word] {
            self.code = code
        } else if let code = UInt16(word), code > 0, code < 0x300 {
            self.code = code
        } else {
            return nil
        }
    }

    package var description: String { Self.codes.filter { $0.value == code }.keys.min() ?? "\(code)" }

    package static var names: [String] { codes.keys.sorted() }

    /// What remotes, keypads and gpio-keys send.
    private static let codes: [String: UInt16] = {
        var codes: [String: UInt16] = [
            "KEY_ESC": 1, "KEY_BACKSPACE": 14, "KEY_TAB": 15, "KEY_ENTER": 28, "KEY_SPACE": 57, "KEY_KPENTER": 96, "KEY_HOME": 102, "KEY_UP": 103, "KEY_PAGEUP": 104,
            "KEY_LEFT": 105, "KEY_RIGHT": 106, "KEY_END": 107, "KEY_DOWN": 108, "KEY_PAGEDOWN": 109, "KEY_MUTE": 113, "KEY_VOLUMEDOWN": 114,
            "KEY_VOLUMEUP": 115, "KEY_POWER": 116, "KEY_BACK": 158, "KEY_FORWARD": 159, "KEY_NEXTSONG": 163, "KEY_PLAYPAUSE": 164,
            "KEY_PREVIOUSSONG": 165, "KEY_RECORD": 167, "KEY_CAMERA": 212, "KEY_SELECT": 0x161, "KEY_ZOOMIN": 0x1a2, "KEY_ZOOMOUT": 0x1a3,
            "KEY_CAMERA_FOCUS": 0x210, "BTN_LEFT": 0x110, "BTN_RIGHT": 0x111, "BTN_MIDDLE": 0x112, "BTN_SOUTH": 0x130, "BTN_EAST": 0x131,
            "BTN_NORTH": 0x133, "BTN_WEST": 0x134, "BTN_TRIGGER": 0x120,
        ]
        for number in 0..<10 { codes["BTN_\(number)"] = 0x100 + UInt16(number) }
        for number in 1...10 { codes["KEY_F\(number)"] = 58 + UInt16(number) }
        for (row, letters) in [(16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"), (2, "1234567890")] {
            for (offset, letter) in letters.enumerated() { codes["KEY_\(letter)"] = UInt16(row + offset) }
        }
        return codes
    }()
}

/// A relative axis of an input device: each unit is one detent. The kernel's rotary-encoder has its own choice, REL_X unless
/// its overlay says otherwise.
package enum InputAxis: String, Sendable, CaseIterable {
    case x = "REL_X"
    case y = "REL_Y"
    case z = "REL_Z"
    case rx = "REL_RX"
    case ry = "REL_RY"
    case rz = "REL_RZ"
    case hwheel = "REL_HWHEEL"
    case dial = "REL_DIAL"
    case wheel = "REL_WHEEL"
    case misc = "REL_MISC"

    /// In linux/input-event-codes.h.
    package var code: UInt16 { UInt16(Self.allCases.firstIndex(of: self) ?? 0) }
}
