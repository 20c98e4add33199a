// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text in C's chars, up to its NUL or the last of them; what is no UTF-8 is replaced. A char may have a sign or none: on ARM it has none.
    package init(chars: some Sequence<CChar>) {
        self.init(decoding: chars.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
