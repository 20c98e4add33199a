// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

// The only part that reads files; everything else is a function of texts.

extension Settings {
    /// Reads the user's file and the board profiles, and resolves them.
    ///
    /// - Parameters:
    ///   - file: nil = there is none, and all of it is as the board and the defaults have it. One that is given must be there.
    ///   - boardFolders: profiles in the first hide those of the same name in the next. Folders that are not there are skipped.
    ///   - model: the device tree's model; see `deviceTreeModel()`.
    ///   - board: goes before the one in the file.
    ///   - environment: only HOME is used.
    /// - Throws: everything that is wrong, in one go.
    package static func load(
        file: String?, boardFolders: [String], model: String?, board: String? = nil, environment: [String: String]
    ) throws(SettingsFaults) -> LoadedSettings {
        var surroundings = Surroundings(boards: [], model: model, board: board, home: environment["HOME"], complaint: programComplaint)
        do throws(SettingsFault) {
            for folder in boardFolders {
                for name in try profileNames(in: folder) {
                    let text = try readSettings("\(folder)/\(name).toml")
                    surroundings.boards.append(BoardText(name: name, text: text))
                }
            }
        } catch { throw SettingsFaults([error]) }

        var user: SettingsText?
        if let file {
            do throws(SettingsFault) { user = try readSettings(file) } catch { throw SettingsFaults([error]) }
        }
        return try resolve(user, in: surroundings)
    }
}

/// What the firmware calls this machine, such as `Raspberry Pi 5 Model B Rev 1.0`; nil where there is no device tree.
package func deviceTreeModel(path: String = "/proc/device-tree/model") -> String? {
    guard let text = try? readSettings(path) else { return nil }
    return String(decoding: text.bytes.prefix { $0 != 0 }, as: UTF8.self)
}

/// A settings file is never larger, bytes.
private let largestFile = 1 << 20

func readSettings(_ path: String) throws(SettingsFault) -> SettingsText {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SettingsFault(file: path, message: "cannot be opened: \(reason(errno))") }
    defer { close(descriptor) }

    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        let code = errno
        if count < 0 && code == EINTR { continue }
        guard count >= 0 else { throw SettingsFault(file: path, message: "cannot be read: \(reason(code))") }
        if count == 0 { return SettingsText(file: path, bytes: bytes) }
        bytes += chunk.prefix(count)
        guard bytes.count <= largestFile else {
            throw SettingsFault(file: path, message: "is larger than 1 MiB; this is no settings file")
        }
    }
}

/// The names of the profiles in a folder, in order.
private func profileNames(in folder: String) throws(SettingsFault) -> [String] {
    guard let stream = opendir(folder) else {
        let code = errno
        if code == ENOENT { return [] }
        throw SettingsFault(file: folder, message: "cannot be listed: \(reason(code))")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name.hasSuffix(".toml"), !name.hasPrefix(".") { names.append(String(name.dropLast(5))) }
    }
    return names.sorted()
}

/// stat(2) and access(2).
private func programComplaint(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "cannot be found: \(reason(errno))" }
    guard status.st_mode & S_IFMT == S_IFREG else { return "is no file" }
    return access(path, X_OK) == 0 ? nil : "may not be executed; chmod +x, or set a user's rights"
}

private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
