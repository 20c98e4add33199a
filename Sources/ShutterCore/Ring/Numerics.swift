// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// The few transcendental functions that the ring needs; the core has the standard library only.

/// e to the power of a complex number: by halving until it is small, a Taylor series, and squaring back.
/// For a decaying vibration (re ≤ 0) good to about 1e-13.
func exponential(_ re: Double, _ im: Double) -> (re: Double, im: Double) {
    var halvings = 0
    var size = re.magnitude + im.magnitude
    while size > 0.5 {
        size /= 2
        halvings += 1
    }
    let scale = Double(sign: .plus, exponent: -halvings, significand: 1)
    let (x, y) = (re * scale, im * scale)
    var (termRe, termIm) = (1.0, 0.0)
    var (sumRe, sumIm) = (1.0, 0.0)
    for n in 1...14 {
        (termRe, termIm) = ((termRe * x - termIm * y) / Double(n), (termRe * y + termIm * x) / Double(n))
        sumRe += termRe
        sumIm += termIm
    }
    for _ in 0..<halvings { (sumRe, sumIm) = (sumRe * sumRe - sumIm * sumIm, 2 * sumRe * sumIm) }
    return (sumRe, sumIm)
}

/// The natural logarithm of a positive number: its exponent, and the series of the inverse hyperbolic tangent.
func logarithm(_ value: Double) -> Double {
    let ratio = (value.significand - 1) / (value.significand + 1)
    var term = ratio
    var sum = 0.0
    for n in stride(from: 1, through: 31, by: 2) {
        sum += term / Double(n)
        term *= ratio * ratio
    }
    return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
}

/// A power of a number from 0 up.
func power(_ base: Double, _ exponent: Double) -> Double {
    base > 0 ? exponential(exponent * logarithm(base), 0).re : 0
}
