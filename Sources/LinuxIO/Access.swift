// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Who may use a device, and who we are: two look-alike faults have different cures.
package struct Access: Equatable, Sendable {
    package var path: String
    package var owner: String
    package var group: String
    /// The permission bits.
    package var mode: UInt32
    package var user: String
    package var userIsRoot: Bool
    package var groups: [String]

    package init(path: String, owner: String, group: String, mode: UInt32, user: String, userIsRoot: Bool = false, groups: [String]) {
        self.path = path
        self.owner = owner
        self.group = group
        self.mode = mode
        self.user = user
        self.userIsRoot = userIsRoot
        self.groups = groups
    }

    /// stat(2), getgroups(2); nil when there is no such file.
    package init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        groups = Array(groups.prefix(max(0, Int(getgroups(Int32(groups.count), &groups)))))
        if !groups.contains(getegid()) { groups.insert(getegid(), at: 0) }
        self.init(
            path: path, owner: userName(facts.st_uid), group: groupName(facts.st_gid), mode: UInt32(facts.st_mode) & 0o7777,
            user: userName(geteuid()), userIsRoot: geteuid() == 0, groups: groups.map(groupName))
    }

    /// Whether the permission bits let the user read and write.
    package var allows: Bool {
        userIsRoot || (user == owner && mode & 0o600 == 0o600) || (user != owner && groups.contains(group) && mode & 0o060 == 0o060)
            || (user != owner && !groups.contains(group) && mode & 0o006 == 0o006)
    }

    /// What stands in the way, and what to do.
    /// - Parameters:
    ///   - udevGroup: the group that ought to have the device.
    ///   - subsystem: the kernel's word for such devices.
    package func complaint(udevGroup: String, subsystem: String) -> String {
        let (facts, cure) = diagnosis(udevGroup: udevGroup, subsystem: subsystem)
        return facts + cure.separator + cure.text
    }

    /// The same in its two parts.
    package func diagnosis(udevGroup: String, subsystem: String) -> (facts: String, cure: (separator: String, text: String)) {
        let facts = "no permission for \(path), which is \(owner):\(group) \(octal); \(user) is in \(groups.joined(separator: ", "))"
        if userIsRoot {
            return (facts, ("; ", "devices are restricted for this service or container: allow it there (DeviceAllow=, --device)"))
        }
        if mode & 0o060 == 0o060, !groups.contains(group), group != "root" {
            return (facts, ("; ", "add the group: sudo usermod -aG \(group) \(user), or SupplementaryGroups=\(group) in the unit, then start again"))
        }
        if mode & 0o060 == 0o060, groups.contains(group) {
            return (facts, (", ", "which should do: devices are restricted for this service (DevicePolicy=, DeviceAllow=)"))
        }
        let rule = "SUBSYSTEM==\"\(subsystem)\", GROUP=\"\(udevGroup)\", MODE=\"0660\""
        return (facts, ("; ", "the udev rule is missing: write \(rule) to /etc/udev/rules.d/61-shutterd-local.rules, then run sudo udevadm trigger"))
    }

    private var octal: String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

private func userName(_ number: uid_t) -> String {
    getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? "\(number)"
}

private func groupName(_ number: gid_t) -> String {
    getgrgid(number).map { String(cString: $0.pointee.gr_name) } ?? "\(number)"
}
