// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterCore

/// What a raw developer has to know of a frame's colours: from its metadata, under libcamera's names.
struct RawFacts: Equatable {
    /// Of the upper left 2×2, in the samples' unit.
    var black: [Float]
    var white: UInt32
    /// DNG's ColorMatrix1: XYZ under D65 to the camera's colours.
    var matrix: [Float]
    /// DNG's AsShotNeutral: a grey in the camera's colours.
    var neutral: [Float]

    init(_ metadata: FrameMetadata, bits: Int) {
        // libcamera counts black in 16 bits, in the order of the pattern's rows.
        let levels = metadata.controls["SensorBlackLevels"]?.numbers ?? []
        let scale = Double(1 << 16) / Double(1 << bits)
        black = (0..<4).map { Float((levels.count == 4 ? levels[$0] : levels.first ?? 4096) / scale) }
        white = UInt32((1 << bits) - 1)
        let gains = metadata.controls["ColourGains"]?.numbers ?? []
        let (red, blue) = gains.count == 2 && gains.allSatisfy { $0 > 0.01 } ? (gains[0], gains[1]) : (1, 1)
        neutral = [Float(1 / red), 1, Float(1 / blue)]
        // The camera's colours, white-balanced and then corrected, are linear sRGB.
        let correction = metadata.controls["ColourCorrectionMatrix"]?.numbers ?? []
        let toRGB = Matrix(correction.count == 9 ? correction : Matrix.identity).times(Matrix([red, 0, 0, 0, 1, 0, 0, 0, blue]))
        let toXYZ = Matrix(Matrix.xyzOfRGB).times(toRGB)
        matrix = (toXYZ.inverse ?? Matrix(Matrix.xyzOfRGB).inverse!).values.map { Float($0) }
    }
}

/// 3×3, by rows.
struct Matrix: Equatable {
    var values: [Double]

    static let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    /// Linear sRGB to XYZ, D65: IEC 61966-2-1.
    static let xyzOfRGB = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505]

    init(_ values: [Double]) {
        precondition(values.count == 9)
        self.values = values
    }

    func times(_ other: Matrix) -> Matrix {
        var product = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for inner in 0..<3 { product[row * 3 + column] += values[row * 3 + inner] * other.values[inner * 3 + column] }
            }
        }
        return Matrix(product)
    }

    /// Nil where there is none.
    var inverse: Matrix? {
        let v = values
        func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { v[a] * v[d] - v[b] * v[c] }
        let adjoint = [
            minor(4, 5, 7, 8), -minor(1, 2, 7, 8), minor(1, 2, 4, 5),
            -minor(3, 5, 6, 8), minor(0, 2, 6, 8), -minor(0, 2, 3, 5),
            minor(3, 4, 6, 7), -minor(0, 1, 6, 7), minor(0, 1, 3, 4),
        ]
        let determinant = v[0] * adjoint[0] + v[1] * adjoint[3] + v[2] * adjoint[6]
        guard abs(determinant) > 1e-9 else { return nil }
        return Matrix(adjoint.map { $0 / determinant })
    }
}

extension MetadataValue {
    /// Its numbers, one or many.
    var numbers: [Double] {
        switch self {
        case .integer(let value): [Double(value)]
        case .number(let value): [value]
        case .list(let values): values.flatMap(\.numbers)
        case .boolean, .text: []
        }
    }
}
