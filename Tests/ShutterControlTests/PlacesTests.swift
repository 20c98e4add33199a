// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import Testing

struct PlacesTests {
    @Test func theSocketIsFound() {
        let own = "/home/me/.local/share/shutterd/control.sock"
        let rows: [(option: String?, named: String?, configured: String?, home: String?, there: Set<String>, socket: String)] = [
            ("/o", "/e", "/c", "/home/me", [own], "/o"),
            (nil, "/e", "/c", "/home/me", [own], "/e"),
            (nil, "", nil, "/home/me", [own], own),
            (nil, nil, nil, "/home/me", [own], own),
            (nil, nil, nil, "/home/me", [own, Places.socket], Places.socket),
            (nil, nil, nil, "/home/me", [], Places.socket),
            (nil, nil, nil, nil, [own], Places.socket),
            (nil, nil, "/c", "/home/me", [own, "/c"], "/c"),
            (nil, nil, "/c", "/home/me", ["/c", Places.socket], Places.socket),
            (nil, nil, "/c", "/home/me", [own], own),
            (nil, nil, "/c", "/home/me", [], "/c"),
            (nil, nil, nil, "relative", ["relative/.local/share/shutterd/control.sock"], Places.socket),
        ]
        for row in rows {
            let environment = ["SHUTTERD_SOCKET": row.named, "HOME": row.home].compactMapValues(\.self)
            #expect(Places.socket(option: row.option, environment: environment, configured: { row.configured }) { row.there.contains($0) } == row.socket)
        }
    }

    @Test func boardProfilesAreFound() {
        #expect(Places.boardFolders(option: "/b", executable: "/usr/bin/shutterctl") == ["/b"])
        #expect(Places.boardFolders(option: nil, executable: "/usr/bin/shutterctl") == ["/usr/share/shutterd/boards"])
        #expect(Places.boardFolders(option: nil, executable: "/usr/local/bin/shutterd") == ["/usr/local/share/shutterd/boards", "/usr/share/shutterd/boards"])
        #expect(Places.boardFolders(option: nil, executable: "/src/.build/x86_64-unknown-linux-gnu/debug/shutterctl").first == "/src/boards")
        #expect(Places.boardFolders(option: nil, executable: "") == ["/usr/share/shutterd/boards"])
    }
}
