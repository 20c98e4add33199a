// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterCore
import Testing

@testable import Media

/// Closing a clip costs the same however long it is.
@Suite("Length of clips", .enabled(if: Bench.areProgramsThere, "ffmpeg is missing"))
struct LengthTests {
    /// What is done to the disk from the last fragment on.
    private func closing(seconds: Int) throws -> (calls: [String], bytes: Int, clip: SavedClip, folder: String) {
        let bench = try Bench()
        let calls = Locked<[(String, Int)]>([])
        var operations = FileOperations.system
        let system = operations
        operations.write = { file, bytes, path throws(SystemError) in
            calls.withLock { $0.append(("write", bytes.count)) }
            try system.write(file, bytes, path)
        }
        // A card that is not waited for: hours go by in seconds.
        operations.syncData = { _, _ throws(SystemError) in calls.update { $0.append(("syncData", 0)) } }
        operations.publish = { from, to throws(SystemError) in
            calls.withLock { $0.append(("publish", 0)) }
            try system.publish(from, to)
        }
        let store = MediaStore(bench.store.settings, operations: operations)
        store.refresh()
        let ended = Locked<Result<SavedClip, Fault>?>(nil)
        let settings = ClipSettings(width: 320, height: 180, bitrate: 100_000)
        let start = Timestamp(nanoseconds: 1_000_000_000)
        let writer = ClipWriter(
            ClipJob(id: CaptureID(1), press: start, accepted: start, mode: .video, trigger: .button), settings: settings, store: store, clock: .system
        ) { event in if case let .ended(_, outcome) = event { ended.update { $0 = outcome } } }
        // One second of real packets, again and again.
        let encoder = try FFmpegEncoder(settings.format("libx264", .packed(.yuv420, width: 320, height: 180)), start: start, threads: 1)
        var second: [Packet] = []
        for index in 0..<30 { second += try encoder.encode(grey(start + .seconds(1) * index / 30, UInt64(index)), isKey: index == 0) }
        for turn in 0..<seconds {
            for var packet in second {
                packet.centre = packet.centre + .seconds(Int64(turn))
                packet.sensor = packet.centre
                writer.append(packet, Drops(), encoder.format)
            }
            writer.waitForRoom()
        }
        calls.wait { $0.count(where: { $0.0 == "syncData" }) >= 2 * seconds ? () : nil }
        calls.withLock { $0 = [] }
        writer.end("press", at: nil)
        let clip = try ended.wait { $0 }.get()
        writer.join()
        let log = calls.withLock { $0 }
        return (log.map(\.0), log.reduce(0) { $0 + $1.1 }, clip, bench.folder)
    }

    @Test func closingCostsTheSame() throws {
        let (short, long) = (try closing(seconds: 5), try closing(seconds: 7200))
        #expect(short.calls == long.calls, "\(short.calls) and \(long.calls)")
        #expect(short.clip.frames == 150 && long.clip.frames == 216_000)
        // The last fragment and the sidecar, whose numbers have a few digits more.
        #expect(abs(short.bytes - long.bytes) < 100, "\(short.bytes) and \(long.bytes)")
    }

    private func grey(_ centre: Timestamp, _ sequence: UInt64) -> Frame {
        let layout = FrameLayout.packed(.yuv420, width: 320, height: 180)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 64)
        memset(memory, Int32(100 + sequence), layout.byteCount)
        let address = UInt(bitPattern: memory)
        return Frame(
            layout: layout, metadata: FrameMetadata(sequence: sequence, sensorTimestamp: centre, exposureTime: .zero),
            bytes: UnsafeRawBufferPointer(start: memory, count: layout.byteCount), giveBack: { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() })
    }
}
