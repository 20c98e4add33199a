// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import ShutterCore

/// A source of frames, and which call into it has not come back: libcamera may hang, and the loop is to notice.
final class WatchedSource: @unchecked Sendable {
    struct Call {
        var name: String
        var since: Timestamp
    }

    let source: any FrameSource
    private let state = Locked<Call?>(nil)
    /// What it was opened for.
    private(set) var opened: (size: FrameSize, facts: SourceFacts)?

    init(_ source: any FrameSource) { self.source = source }

    /// The call that the camera's thread is in now.
    var call: Call? { state.withLock { $0 } }

    private func begin(_ name: String) { state.withLock { $0 = Call(name: name, since: Clock.now) } }
    private func end() { state.withLock { $0 = nil } }

    func open(_ size: FrameSize) throws(Fault) -> SourceFacts {
        if let opened, opened.size == size { return opened.facts }
        begin("open")
        defer { end() }
        opened = nil
        let facts = try source.open(size)
        opened = (size, facts)
        return facts
    }

    func start() throws(Fault) {
        begin("start")
        defer { end() }
        try source.start()
    }

    func stop() {
        begin("stop")
        source.stop()
        end()
    }

    func close() {
        begin("close")
        opened = nil
        source.close()
        end()
    }

    func next() throws(Fault) -> SourceFrame? {
        begin("next")
        defer { end() }
        return try source.next()
    }

    func queue(_ buffer: Int) {
        begin("queue")
        source.queue(buffer)
        end()
    }

    func expose(_ isOpen: Bool) {
        begin("expose")
        source.expose(isOpen)
        end()
    }

    func focus(_ isHalfPressed: Bool) {
        begin("focus")
        source.focus(isHalfPressed)
        end()
    }

    func apply(_ controls: CameraControls) {
        begin("apply")
        source.apply(controls)
        end()
    }
}
