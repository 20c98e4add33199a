// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The error of its type that `body` throws; an issue when there is none. (`#expect(throws:)` returns it from Swift 6.1 on.)
func caught<E: Error, Result>(_: E.Type, _ body: () throws -> Result) -> E? {
    do {
        let result = try body()
        Issue.record("nothing was thrown: \(result)")
    } catch let error as E {
        return error
    } catch {
        Issue.record("another error: \(error)")
    }
    return nil
}
