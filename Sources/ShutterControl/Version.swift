// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

package enum Version {
    /// Of shutterd and shutterctl, which are released together.
    package static let current = "0.1.0"
}
