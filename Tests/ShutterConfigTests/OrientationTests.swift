// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ShutterConfig

@Suite struct OrientationTests {
    /// A corner mark and its neighbour, as they lie after EXIF's turns: 1 is (0,0) (1,0), x to the right and y down.
    private static let turns: [UInt8: (xx: Int, xy: Int, yx: Int, yy: Int)] = [
        1: (1, 0, 0, 1), 2: (-1, 0, 0, 1), 3: (-1, 0, 0, -1), 4: (1, 0, 0, -1), 5: (0, 1, 1, 0), 6: (0, -1, 1, 0), 7: (0, -1, -1, 0),
        8: (0, 1, -1, 0),
    ]

    /// Mirrored first, then turned clockwise: the same as EXIF's one number.
    @Test(arguments: [0, 90, 180, 270], CameraSettings.Flip.allCases) func flipAndRotationAreOneTurn(rotation: Int, flip: CameraSettings.Flip) throws {
        var camera = CameraSettings()
        camera.rotation = rotation
        camera.flip = flip
        var point = (x: 2, y: 1)
        switch flip {
        case .none: break
        case .horizontal: point.x = -point.x
        case .vertical: point.y = -point.y
        }
        // Clockwise, with y down: right becomes down.
        for _ in 0..<rotation / 90 { point = (-point.y, point.x) }
        let turn = try #require(Self.turns[camera.orientation])
        #expect(point == (turn.xx * 2 + turn.xy, turn.yx * 2 + turn.yy))
    }
}
