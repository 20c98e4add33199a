// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterControl
import ShutterCore
import Testing

struct VCDReaderTests {
    struct Good: CustomTestStringConvertible {
        var name: String
        var text: String
        /// `shutter=1 | 168 shutter 0, …`: the initial levels, then time in ns, input and level of each edge.
        var trace: String
        var end: Int64?
        var testDescription: String { name }
    }

    struct Bad: CustomTestStringConvertible {
        var name: String
        var text: String
        var line: Int
        /// Must be part of the message.
        var says: String
        var testDescription: String { name }
    }

    /// A header of three lines for one or more inputs with the codes `!`, `"`, `#`, and the time unit 1 us.
    static func header(_ names: String..., scale: String = "1 us") -> String {
        let codes = ["!", "\"", "#"]
        return "$timescale \(scale) $end\n"
            + names.enumerated().map { "$var wire 1 \(codes[$0.offset]) \($0.element) $end" }.joined(separator: " ")
            + "\n$enddefinitions $end\n"
    }

    static let shutter = header("shutter")

    static let good: [Good] = [
        Good(name: "sigrok", text: """
            $date Thu Jan  1 10:00:00 2026 $end
            $version libsigrok 0.5.2 $end
            $comment
              Acquisition with 1/1 channels at 1 MHz
            $end
            $timescale 1 us $end
            $scope module libsigrok $end
            $var wire 1 ! shutter $end
            $upscope $end
            $enddefinitions $end
            #0 1!
            #189 0!
            #196 1!
            #422 0!
            #500

            """, trace: "shutter=1 | 189000 shutter 0, 196000 shutter 1, 422000 shutter 0", end: 500_000),
        Good(name: "GTKWave and Icarus", text: """
            $date
            \tMon Mar  2 10:00:00 2026
            $end
            $version
            \tIcarus Verilog
            $end
            $timescale
            \t1ps
            $end
            $scope module tb $end
            $var reg 1 ! shutter $end
            $var reg 8 " count [7:0] $end
            $scope module inner $end
            $var wire 1 ! shutter $end
            $upscope $end
            $upscope $end
            $enddefinitions $end
            #0
            $dumpvars
            bx "
            x!
            $end
            #1000
            1!
            b101 "
            #2499
            0!
            #2500000
            1!

            """, trace: "shutter=1 | 2 shutter 0, 2500 shutter 1"),
        Good(name: "sigrok-cli to stdout", text: "META samplerate: 1000000\n" + shutter + "#0 1!\n#5 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "all on one line", text: "$timescale 1 us $end $var wire 1 ! shutter $end $enddefinitions $end #0 1! #5 0! ", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "CRLF", text: (shutter + "#0\n1!\n#5\n0!\n").split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"), trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "tabs", text: "$timescale\t1\tus\t$end\n$var\twire\t1\t!\tshutter\t$end\n$enddefinitions\t$end\n#0\t1!\n", trace: "shutter=1 | "),
        Good(name: "1 s", text: header("shutter", scale: "1 s") + "#0 1! #2 0!\n", trace: "shutter=1 | 2000000000 shutter 0"),
        Good(name: "10 ms", text: header("shutter", scale: "10 ms") + "#0 1! #2 0!\n", trace: "shutter=1 | 20000000 shutter 0"),
        Good(name: "100us, no space", text: header("shutter", scale: "100us") + "#0 1! #2 0!\n", trace: "shutter=1 | 200000 shutter 0"),
        Good(name: "1ns", text: header("shutter", scale: "1ns") + "#0 1! #2 0!\n", trace: "shutter=1 | 2 shutter 0"),
        Good(name: "10 ns", text: header("shutter", scale: "10 ns") + "#0 1! #2 0!\n", trace: "shutter=1 | 20 shutter 0"),
        Good(name: "100 ps", text: header("shutter", scale: "100 ps") + "#0 1! #14 0! #15 1!\n", trace: "shutter=1 | 1 shutter 0, 2 shutter 1"),
        Good(name: "1 fs", text: header("shutter", scale: "1 fs") + "#0 1! #1000000 0!\n", trace: "shutter=1 | 1 shutter 0"),
        Good(name: "value before any time", text: shutter + "1!\n#5\n0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "a dumpvars value followed by another at the same time is an edge", text: shutter + "#0\n$dumpvars\n1!\n$end\n0!\n", trace: "shutter=1 | 0 shutter 0"),
        Good(name: "two edges at one time keep their order", text: shutter + "#0 1! #5 0! 1! 0!\n", trace: "shutter=1 | 5000 shutter 0, 5000 shutter 1, 5000 shutter 0"),
        Good(name: "the same time twice", text: shutter + "#0 1! #5 0! #5 1!\n", trace: "shutter=1 | 5000 shutter 0, 5000 shutter 1"),
        Good(name: "the same level again is no edge", text: shutter + "#0 1! #5 1! #6 0! #7 0!\n", trace: "shutter=1 | 6000 shutter 0"),
        Good(name: "x and z keep the last level", text: shutter + "#0 1! #5 x! #6 1! #7 Z! #8 0! #9 X! #10 z! #11 1!\n", trace: "shutter=1 | 8000 shutter 0, 11000 shutter 1"),
        Good(name: "unknown at first", text: shutter + "#0 x! #5 0! #6 1!\n", trace: "shutter=0 | 6000 shutter 1"),
        Good(name: "first value late", text: shutter + "#500 0! #600 1!\n", trace: "shutter=0 | 600000 shutter 1"),
        Good(name: "dumpoff and dumpon", text: shutter + "#0 $dumpvars 1! $end #5 $dumpoff x! $end #9 $dumpon 0! $end #10 $dumpall 0! $end\n", trace: "shutter=1 | 9000 shutter 0", end: 10_000),
        Good(name: "comment among the changes", text: shutter + "#0 1! $comment 0! #99 $end #5 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "two inputs", text: header("shutter", "mode") + "#0 1! 0\" #5 0! 1\"\n", trace: "mode=0 shutter=1 | 5000 shutter 0, 5000 mode 1"),
        Good(name: "one code under two names", text: "$timescale 1 us $end $var wire 1 ! shutter $end $var wire 1 ! mode $end $enddefinitions $end #0 1! #5 0!\n", trace: "mode=1 shutter=1 | 5000 shutter 0, 5000 mode 0"),
        Good(name: "the same name and code in two scopes", text: "$timescale 1 us $end $scope module a $end $var wire 1 ! shutter $end $upscope $end $scope module b $end $var wire 1 ! shutter $end $upscope $end $enddefinitions $end #0 1! #5 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "codes of many printable characters", text: "$timescale 1 us $end $var wire 1 #$b0 shutter $end $var wire 1 ~|1 mode $end $enddefinitions $end #0 1#$b0 0~|1 #5 0#$b0\n", trace: "mode=0 shutter=1 | 5000 shutter 0"),
        Good(name: "index apart", text: "$timescale 1 us $end $var wire 1 ! shutter [0] $end $enddefinitions $end #0 1! #5 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "index attached, escaped name", text: "$timescale 1 us $end $var wire 1 ! \\shutter[0] $end $enddefinitions $end #0 1! #5 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "other variables are skipped", text: "$timescale 1 us $end $var wire 8 \" bus [7:0] $end $var real 64 % volts $end $var wire 1 ! shutter $end $var wire 1 & clk $end $enddefinitions $end #0 b0 \" r3.3 % 1! 0& #5 b1010zx \" r-1e-3 % 1& 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "a one-bit vector", text: shutter + "#0 b1 ! #5 b0 ! #6 B00000001 ! #7 bx !\n", trace: "shutter=1 | 5000 shutter 0, 6000 shutter 1"),
        Good(name: "SystemVerilog types", text: "$timescale 1 us $end $var logic 1 ! shutter $end $var bit 1 # mode $end $enddefinitions $end #0 1! 1# #5 0!\n", trace: "mode=1 shutter=1 | 5000 shutter 0"),
        Good(name: "VHDL levels", text: shutter + "#0 U! #1 H! #2 L! #3 -! #4 W!\n", trace: "shutter=1 | 2000 shutter 0"),
        Good(name: "sections of other tools", text: "$attrbegin misc 02 a 1 $end " + shutter + "#0 1! #5 0! $vcdclose #7 $end\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "no scopes at all", text: shutter + "#0 1!\n", trace: "shutter=1 | "),
        Good(name: "begins late", text: shutter + "#1000000 1! #1000005 0!\n", trace: "shutter=1 | 1000005000 shutter 0"),
        Good(name: "last line without its end, nothing missing", text: shutter + "#0\n1!\n#5\n0!", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "leading zeros in a time", text: shutter + "#000 1! #005 0!\n", trace: "shutter=1 | 5000 shutter 0"),
        Good(name: "non-ASCII in a comment", text: "$comment Öffner $end " + shutter + "#0 1!\n", trace: "shutter=1 | "),
    ]

    static let bad: [Bad] = [
        Bad(name: "empty", text: "", line: 0, says: "empty"),
        Bad(name: "only white space", text: " \n\n", line: 0, says: "empty"),
        Bad(name: "not a VCD", text: "{\"t_us\": 0}\n", line: 1, says: "not a value change dump"),
        Bad(name: "only sigrok-cli's first line", text: "META samplerate: 1000000\n", line: 0, says: "empty"),
        Bad(name: "binary", text: "\u{1}\u{2}\0\u{3}", line: 1, says: "\\x01\\x02"),
        Bad(name: "no enddefinitions", text: "$timescale 1 us $end\n$var wire 1 ! shutter $end\n", line: 2, says: "$enddefinitions is missing"),
        Bad(name: "changes before enddefinitions", text: "$timescale 1 us $end\n$var wire 1 ! shutter $end\n#0\n1!\n", line: 3, says: "before $enddefinitions stands \"#0\""),
        Bad(name: "cut in enddefinitions", text: "$timescale 1 us $end\n$var wire 1 ! shutter $end\n$enddefinitions", line: 3, says: "has no $end"),
        Bad(name: "cut in a comment", text: "$comment made by\n hand\n", line: 1, says: "has no $end"),
        Bad(name: "cut in var", text: "$timescale 1 us $end\n$var wire 1 ! shut", line: 2, says: "$var has no $end"),
        Bad(name: "cut after the header", text: shutter, line: 3, says: "no input is given a level"),
        Bad(name: "cut in a time", text: shutter + "#0\n1!\n#500\n0!\n#6", line: 8, says: "the rest of the time after #6"),
        Bad(name: "beyond time", text: "$timescale 1 s $end\n$var wire 1 ! shutter $end\n$enddefinitions $end\n#0 1!\n#9223372036 0!\n", line: 5, says: "at most 146 years"),
        Bad(name: "cut after the number sign", text: shutter + "#0\n1!\n#", line: 6, says: "cut off"),
        Bad(name: "cut before the code", text: shutter + "#0\n1!\n#50\n0", line: 7, says: "the variable's code is missing"),
        Bad(name: "cut in a code", text: "$timescale 1 us $end $var wire 1 ! shutter $end $var wire 1 !! mode $end $enddefinitions $end\n#0 0!! 0! #1 1!", line: 2, says: "the rest of the code"),
        Bad(name: "cut after a vector", text: shutter + "#0\n1!\nb1", line: 6, says: "the variable's code after \"b1\" is missing"),
        Bad(name: "cut in dumpvars", text: shutter + "#0\n$dumpvars\n1!\n", line: 6, says: "the $end of $dumpvars of line 5 is missing"),
        Bad(name: "no timescale", text: "$var wire 1 ! shutter $end\n$enddefinitions $end\n#0 1!\n", line: 2, says: "no $timescale"),
        Bad(name: "timescale 5 us", text: header("shutter", scale: "5 us"), line: 1, says: "1, 10 or 100"),
        Bad(name: "timescale 1 min", text: header("shutter", scale: "1 min"), line: 1, says: "1, 10 or 100"),
        Bad(name: "timescale 1.5 us", text: header("shutter", scale: "1.5 us"), line: 1, says: "1, 10 or 100"),
        Bad(name: "timescale without number", text: header("shutter", scale: "us"), line: 1, says: "1, 10 or 100"),
        Bad(name: "timescale empty", text: header("shutter", scale: ""), line: 1, says: "1, 10 or 100"),
        Bad(name: "two timescales", text: "$timescale 1 us $end\n$timescale 1 ns $end\n", line: 2, says: "second $timescale"),
        Bad(name: "time backwards", text: shutter + "#10\n1!\n#9\n0!\n", line: 6, says: "time goes backwards"),
        Bad(name: "negative time", text: shutter + "#-1\n1!\n", line: 4, says: "is no time"),
        Bad(name: "fractional time", text: shutter + "#1.5\n1!\n", line: 4, says: "is no time"),
        Bad(name: "time without digits", text: shutter + "#\n1!\n", line: 4, says: "is no time"),
        Bad(name: "time beyond 64 bits", text: shutter + "#99999999999999999999\n1!\n", line: 4, says: "is no time"),
        Bad(name: "time beyond 292 years", text: header("shutter", scale: "100 s") + "#18446744073709551615\n1!\n", line: 4, says: "146 years"),
        Bad(name: "unknown code", text: shutter + "#0\n1%\n", line: 5, says: "\"%\" is no variable"),
        Bad(name: "value without code", text: shutter + "#0\n1 !\n", line: 5, says: "without a variable's code"),
        Bad(name: "no such level", text: shutter + "#0\n2!\n", line: 5, says: "neither a time"),
        Bad(name: "vector with other digits", text: shutter + "#0\nb12 !\n", line: 5, says: "is no vector"),
        Bad(name: "vector without bits", text: shutter + "#0\nb !\n", line: 5, says: "without bits"),
        Bad(name: "stray end", text: shutter + "#0\n1!\n$end\n", line: 6, says: "$end without a beginning"),
        Bad(name: "dumpvars in dumpvars", text: shutter + "#0\n$dumpvars\n$dumpall\n1!\n$end\n", line: 6, says: "$dumpvars of line 5 has no $end"),
        Bad(name: "var with too few words", text: "$timescale 1 us $end\n$var wire 1 ! $end\n", line: 2, says: "$var needs"),
        Bad(name: "var with a bad size", text: "$timescale 1 us $end\n$var wire one ! shutter $end\n", line: 2, says: "size"),
        Bad(name: "two variables of one name", text: "$timescale 1 us $end\n$var wire 1 ! shutter $end\n$var wire 1 \" shutter $end\n", line: 3, says: "two variables are named \"shutter\""),
        Bad(name: "no input", text: header("D0", "D1"), line: 3, says: "no variable is named after an input (mode, shutter); it has \"D0\", \"D1\""),
        Bad(name: "no variable", text: "$timescale 1 us $end\n$enddefinitions $end\n", line: 2, says: "it declares no one-bit variable"),
        Bad(name: "upscope too many", text: "$timescale 1 us $end\n$upscope $end\n", line: 2, says: "$upscope without"),
        Bad(name: "only unknown levels", text: shutter + "#0\nx!\n", line: 5, says: "holds only x and z"),
    ]

    @Test(arguments: good) func reads(_ row: Good) throws {
        let trace = try VCDReader.read(Array(row.text.utf8), file: "t.vcd", inputs: [.shutter, .mode])
        #expect(shown(trace) == row.trace)
        if let end = row.end { #expect(trace.end == end) }
    }

    @Test(arguments: bad) func refuses(_ row: Bad) {
        let fault = caught(TraceFault.self) {
            try VCDReader.read(Array(row.text.utf8), file: "t.vcd", inputs: [.shutter, .mode])
        }
        #expect(fault?.line == row.line)
        #expect(fault?.message.contains(row.says) == true, "\(fault?.description ?? "")")
        #expect(fault?.description.contains("\n") == false)
    }

    @Test func takesAllVariablesWhenNoneAreNamed() throws {
        let trace = try VCDReader.read(Array((Self.header("D0", "D1") + "#0 1! 0\" #1 0!\n").utf8), file: "t.vcd")
        #expect(shown(trace) == "D0=1 D1=0 | 1000 D0 0")
    }

    @Test func boundsWhatItReads() {
        let large = [UInt8](repeating: 0x20, count: Trace.largestFile + 1)
        let fault = caught(TraceFault.self) { try VCDReader.read(large, file: "t.vcd") }
        #expect(fault?.message.contains("64 MiB") == true)
        var text = Self.shutter + "#0 1!\n"
        for _ in 0...(Trace.mostEvents / 2) { text += "0!\n1!\n" }
        let tooMany = caught(TraceFault.self) { try VCDReader.read(Array(text.utf8), file: "t.vcd") }
        #expect(tooMany?.message.contains("edges") == true)
    }
}

/// `shutter=1 | 168 shutter 0, …`, as in the tables.
func shown(_ trace: Trace) -> String {
    let initial = trace.initial.map { "\($0.key)=\($0.value ? 1 : 0)" }.sorted().joined(separator: " ")
    let events = trace.events.map { event in
        switch event.kind {
        case .edge(let input, let high, let sequence):
            "\(event.at) \(input) \(high ? 1 : 0)" + (sequence.map { " seq \($0)" } ?? "")
        case .level(let input, let high): "\(event.at) \(input) is \(high ? 1 : 0)"
        case .request(let verb, let args): "\(event.at) \(([verb] + args).joined(separator: " "))"
        }
    }
    return "\(initial) | \(events.joined(separator: ", "))"
}
