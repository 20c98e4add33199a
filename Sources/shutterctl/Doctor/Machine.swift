// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// The machine that is looked at: the one we are on, or a tree of files that stands for one.
struct Machine {
    /// Who has to be able to use the devices.
    struct Who: Equatable {
        var name: String
        var groups: [String]
        /// "the unit's user is" or "you are".
        var origin: String
        var isUnits: Bool
    }

    /// Empty for the real one.
    let root: String
    private(set) var who = Who(name: "", groups: [], origin: "you are", isUnits: false)
    private var users: [UInt32: String] = [:]
    private var groups: [UInt32: String] = [:]

    init(root: String) {
        var root = root
        while root.hasSuffix("/") { root.removeLast() }
        self.root = root
        readNames()
        who = daemonUser() ?? ownUser()
    }

    /// What can be asked of the kernel only on the real one.
    var isReal: Bool { root.isEmpty }

    func path(_ path: String) -> String { root + path }
    func exists(_ path: String) -> Bool { Glibc.access(self.path(path), F_OK) == 0 }

    func text(_ path: String) -> String? {
        (try? FileSystem.wholeFile(self.path(path), atMost: 4 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }

    func lines(_ path: String) -> [String] {
        text(path)?.split(whereSeparator: \.isNewline).map(String.init) ?? []
    }

    func names(_ folder: String) -> [String] { ((try? FileSystem.names(in: path(folder))) ?? []).sorted() }

    /// Of a file with `NAME=VALUE` lines, without quotes.
    func value(_ name: String, in file: String) -> String? {
        lines(file).last { $0.hasPrefix(name + "=") }.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
    }

    var model: String? {
        text("/proc/device-tree/model").map { String($0.unicodeScalars.filter { $0.value >= 0x20 }) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    var kernel: String { isReal ? Environment.kernel : text("/proc/sys/kernel/osrelease")?.split(separator: "\n").first.map(String.init) ?? "unknown" }

    /// Who may use a file, judged for the daemon's user; nil when it is not there.
    func access(_ path: String) -> Access? {
        var facts = stat()
        guard stat(self.path(path), &facts) == 0 else { return nil }
        return Access(
            path: path, owner: users[facts.st_uid] ?? "\(facts.st_uid)", group: groups[facts.st_gid] ?? "\(facts.st_gid)",
            mode: UInt32(facts.st_mode) & 0o7777, user: who.name, userIsRoot: who.name == "root", groups: who.groups)
    }

    /// The first line that a program of the machine prints.
    func output(of program: String, _ arguments: String) -> String? {
        guard exists(program), let pipe = popen("'\(path(program))' \(arguments) 2>/dev/null", "r") else { return nil }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = fread(&buffer, 1, buffer.count, pipe)
        guard pclose(pipe) == 0 else { return nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    // MARK: Names

    private mutating func readNames() {
        for line in lines("/etc/passwd") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, let number = UInt32(fields[2]) { users[number] = String(fields[0]) }
        }
        for line in lines("/etc/group") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, let number = UInt32(fields[2]) { groups[number] = String(fields[0]) }
        }
    }

    /// Homes of all users, for their keys.
    var homes: [(user: String, home: String)] {
        lines("/etc/passwd").compactMap { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            return fields.count > 5 && fields[5].hasPrefix("/") ? (fields[0], fields[5]) : nil
        }
    }

    private func memberships(of user: String) -> [String] {
        let primary = lines("/etc/passwd").first { $0.hasPrefix(user + ":") }.flatMap { line -> String? in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count > 3 ? UInt32(fields[3]).map { groups[$0] ?? "\($0)" } : nil
        }
        let others = lines("/etc/group").compactMap { line -> String? in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count > 3 && fields[3].split(separator: ",").contains(Substring(user)) ? String(fields[0]) : nil
        }
        return [primary].compactMap(\.self) + others
    }

    // MARK: The unit

    static let unitFolders = ["/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]

    /// The unit's file, and its drop-ins.
    var unit: (path: String, text: String)? {
        for folder in Self.unitFolders {
            guard let text = text("\(folder)/shutterd.service") else { continue }
            let dropIns = Self.unitFolders.flatMap { folder in
                names("\(folder)/shutterd.service.d").filter { $0.hasSuffix(".conf") }.compactMap { self.text("\(folder)/shutterd.service.d/\($0)") }
            }
            return ("\(folder)/shutterd.service", ([text] + dropIns).joined(separator: "\n"))
        }
        return nil
    }

    /// All values of a setting of the unit, in their order.
    func unitValues(_ name: String) -> [String] {
        (unit?.text ?? "").split(whereSeparator: \.isNewline).filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private func daemonUser() -> Who? {
        guard unit != nil else { return nil }
        let name = unitValues("User").last ?? "root"
        let more = unitValues("SupplementaryGroups").flatMap { $0.split(separator: " ").map(String.init) }
        let group = unitValues("Group").last
        // The unit's group stands in place of the user's own.
        var groups = memberships(of: name)
        if let group { groups.replaceSubrange(0..<min(1, groups.count), with: [group]) }
        groups += more
        return Who(name: name, groups: groups.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }, origin: "the unit's user is", isUnits: true)
    }

    private func ownUser() -> Who {
        let name = users[geteuid()] ?? "\(geteuid())"
        var numbers = [gid_t](repeating: 0, count: max(1, Int(getgroups(0, nil))))
        numbers = Array(numbers.prefix(max(0, Int(getgroups(Int32(numbers.count), &numbers)))))
        if !numbers.contains(getegid()) { numbers.insert(getegid(), at: 0) }
        return Who(name: name, groups: numbers.map { groups[$0] ?? "\($0)" }, origin: "you are", isUnits: false)
    }
}
