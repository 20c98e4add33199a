// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl

extension Main {
    /// `ssh-setup`: makes the login that can only ask, or takes it away. Users and sshd are the system's own tools' work, so
    /// a script does it, deploy/ssh-setup; it takes the place of this program.
    static func setUpSSH(_ invocation: Invocation) throws(Failure) {
        var words = ["--remove"]
        if invocation.options["remove"] == nil {
            guard let key = invocation.arguments.first else {
                throw Failure(.usage, "no-key", "ssh-setup needs the public half of a key, as in: sudo shutterctl ssh-setup id_ed25519.pub")
            }
            // A list that the gate would refuse would let nobody in.
            _ = try Gate(allow: invocation.options["allow"])
            // sh and its tools take what begins with a dash for an option.
            words = [key.hasPrefix("-") ? "./" + key : key] + (invocation.options["allow"].map { [$0] } ?? [])
        } else if let key = invocation.arguments.first {
            throw Failure(.usage, "no-key-wanted", "ssh-setup --remove takes the whole login away; to take one key away, take the line of \(Shown.text(key)) out of /etc/shutterd/authorized_keys")
        }
        let folder = FileSystem.folder(of: Environment.executable)
        let script = "\(folder)/../lib/shutterd/ssh-setup"
        var arguments = ([script] + words).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        execv(script, &arguments)
        throw Failure(.unavailable, "not-installed", "\(script): \(SystemError("execv", script).reason); install shutterd first: sudo ./deploy/install")
    }
}
