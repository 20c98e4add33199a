// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

@main
struct Main {
    static func main() {
        JPEGBench.run(rounds: 15)
    }
}
