// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Where things are when nobody says otherwise.
package enum Places {
    package static let configuration = "/etc/shutterd/shutterd.toml"
    package static let socket = "/run/shutterd/control.sock"
    /// Of a simulated camera, which runs without rights; under HOME.
    package static let ownSocket = ".local/share/shutterd/control.sock"

    /// The daemon's socket: as the option says, else as SHUTTERD_SOCKET says, else the one of these that is there: the system's, the one that
    /// the system's configuration names, a simulation's.
    package static func socket(
        option: String?, environment: [String: String], configured: () -> String?, exists: (String) -> Bool
    ) -> String {
        if let option { return option }
        if let named = environment["SHUTTERD_SOCKET"], !named.isEmpty { return named }
        if exists(socket) { return socket }
        let configured = configured() ?? socket
        if exists(configured) { return configured }
        if let home = environment["HOME"], home.hasPrefix("/"), exists("\(home)/\(ownSocket)") { return "\(home)/\(ownSocket)" }
        return configured
    }

    /// The folders with board profiles, those of the first going before: as the option says, else the ones that were installed
    /// with the program, or that stand in the source tree it was built in.
    /// - Parameter executable: the program's own path, symbolic links resolved (`/proc/self/exe`).
    package static func boardFolders(option: String?, executable: String) -> [String] {
        if let option { return [option] }
        let folders = executable.split(separator: "/").dropLast().map(String.init)
        var result: [String] = []
        // …/.build/x86_64-unknown-linux-gnu/debug/shutterctl
        if folders.count > 3, folders[folders.count - 3] == ".build" {
            result.append("/" + (folders.dropLast(3) + ["boards"]).joined(separator: "/"))
        }
        if !folders.isEmpty { result.append("/" + (folders.dropLast() + ["share/shutterd/boards"]).joined(separator: "/")) }
        let installed = "/usr/share/shutterd/boards"
        return result.contains(installed) ? result : result + [installed]
    }
}
