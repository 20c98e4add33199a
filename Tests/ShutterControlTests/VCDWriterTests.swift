// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import ShutterControl
import ShutterCore
import Testing

struct VCDWriterTests {
    static let trace = Trace(
        initial: [.shutter: true, .mode: false],
        events: [
            TraceEvent(at: 168_000, .edge(.shutter, high: false, sequence: nil)),
            TraceEvent(at: 175_000, .edge(.shutter, high: true, sequence: nil)),
            TraceEvent(at: 176_000, .edge(.mode, high: true, sequence: nil)),
            TraceEvent(at: 60_000_000, .edge(.shutter, high: false, sequence: nil)),
        ], end: 60_500_000)

    @Test func whatIsWrittenIsReadBack() throws {
        #expect(try VCDReader.read(Array(VCDWriter.text(of: Self.trace).utf8), file: "t.vcd") == Self.trace)
    }

    @Test func nanosecondsSurvive() throws {
        var trace = Self.trace
        trace.events[0].at = 167_999
        #expect(VCDWriter.text(of: trace).contains("$timescale 1 ns $end"))
        #expect(try VCDReader.read(Array(VCDWriter.text(of: trace).utf8), file: "t.vcd") == trace)
    }

    @Test func itIsWrittenPieceByPiece() throws {
        var writer = VCDWriter(initial: [(.shutter, true), (.shutter, false), (.mode, false)], comment: "made\nby $end hand")
        #expect(writer.header == """
            $version shutterd \(Version.current) $end
            $comment made by end hand $end
            $timescale 1 us $end
            $scope module shutterd $end
            $var wire 1 a shutter $end
            $var wire 1 c mode $end
            $upscope $end
            $enddefinitions $end
            #0
            $dumpvars
            1a
            0c
            $end

            """)
        #expect(writer.change(.shutter, high: true, at: 5000) == "")
        #expect(writer.change(.shutter, high: false, at: 5499) == "#5\n0a\n")
        #expect(writer.change(.shutter, high: true, at: 5400) == "1a\n")
        #expect(writer.change(.shutter, high: false, at: 4000) == "0a\n")
        #expect(writer.change(.focus, high: false, at: 9000) == "")
        #expect(writer.finish(at: 9000) == "#9\n")
    }

    @Test func manyInputsAndOddNames() throws {
        let inputs = (0..<800).map { (input: InputName(rawValue: "line \($0)"), high: $0 % 2 == 0) }
        let trace = try VCDReader.read(Array(VCDWriter(initial: inputs).header.utf8), file: "t.vcd")
        #expect(trace.initial.count == 800)
        #expect(trace.initial[InputName(rawValue: "line_799")] == false)
    }

    @Test(.enabled(if: access("/usr/bin/sigrok-cli", X_OK) == 0, "sigrok-cli is not installed"))
    func sigrokReadsIt() throws {
        let path = "/tmp/shutterd-writer-\(getpid()).vcd"
        defer { unlink(path) }
        let file = try #require(fopen(path, "w"))
        fputs(VCDWriter.text(of: Self.trace), file)
        fclose(file)
        let pipe = try #require(popen("sigrok-cli -I vcd -i \(path) -O vcd", "r"))
        var output: [UInt8] = []
        while case let byte = fgetc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
        #expect(pclose(pipe) == 0)
        // What sigrok made of it is a VCD again: the same levels at the same times.
        let trace = try VCDReader.read(output, file: "sigrok.vcd", inputs: [.shutter, .mode])
        #expect(trace.initial == Self.trace.initial)
        #expect(trace.events == Self.trace.events)
    }
}
