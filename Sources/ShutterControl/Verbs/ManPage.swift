// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Manual pages in mdoc(7), from the tables.
package enum ManPage {
    /// shutterctl(1).
    package static var control: String {
        var text = head("SHUTTERCTL", 1, "shutterctl", "ask the camera, or find out what is wrong with it")
        text += ".Sh SYNOPSIS\n.Nm\n.Op Fl Fl json\n.Op Fl Fl socket Ar PATH\n.Ar verb\n.Op Ar argument ...\n"
        text += """
            .Sh DESCRIPTION
            .Nm
            talks to
            .Xr shutterd 8 ,
            the camera.
            Standard output carries the answer alone; one line on standard error says what is wrong and what to do.
            .Pp
            Options for any verb:
            .Bl -tag -width Ds

            """
        text += VerbTable.globalOptions.map(item).joined() + ".El\n.Sh VERBS\n.Bl -tag -width Ds\n"
        for verb in VerbTable.verbs where !verb.isHidden { text += self.verb(verb) }
        text += ".El\n.Sh SSH\nWith\n.Pp\n.Dl command=\\(dqshutterctl ssh-gate\\(dq,restrict ssh-ed25519 AAAA...\n.Pp\n"
        text += "in\n.Pa ~/.ssh/authorized_keys\nthe key can ask for these verbs and nothing else:\n"
        let verbs = VerbTable.verbs.filter(\.isAllowedThroughGate).map(\.name)
        text += verbs.joined(separator: ", ").split(separator: " ").map(escaped).joined(separator: " ") + ".\n"
        text += ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n.It Ev SHUTTERD_SOCKET\nThe daemon's socket, where\n.Fl Fl socket\ndoes not name it.\n"
        text += ".It Ev NO_COLOR\nWithout colours.\n.El\n.Sh EXIT STATUS\nAfter\n.In sysexits.h :\n.Bl -tag -width Ds\n.It 0\nDone.\n"
        let meanings: [(ErrorWord, String)] = [
            (.usage, "The words make no sense."), (.unavailable, "No daemon, or no camera."), (.internal, "A fault of the program."),
            (.cannotCreate, "A file cannot be created."), (.io, "Reading or writing failed."),
            (.refused, "Not now: it is recording or busy, there is no room or no encoder, or the folder cannot be written to."),
            (.notPermitted, "Not permitted."), (.configuration, "The configuration is faulty."),
        ]
        text += meanings.map { ".It \($0.exitCode)\n\($1)\n" }.joined() + ".El\n"
        return text + ".Sh SEE ALSO\n.Xr shutterd.toml 5 ,\n.Xr shutterd 8\n"
    }

    /// shutterd(8).
    package static var daemon: String {
        var text = head("SHUTTERD", 8, "shutterd", "a camera with a real shutter button")
        text += ".Sh SYNOPSIS\n.Nm\n.Op Ar option ...\n.Sh DESCRIPTION\n.Nm\nis the camera: it watches the button, drives the LED ring and saves photos and clips.\n"
        text += "In a terminal with\n.Fl Fl board Cm simulated\nthe keyboard is the button, and no hardware is needed.\n.Bl -tag -width Ds\n"
        text += DaemonOptions.table.map(item).joined() + ".El\n.Sh SIGNALS\n.Bl -tag -width Ds\n"
        text += ".It Dv SIGUSR1\nOne tap of the button.\n.It Dv SIGUSR2 , SIGTERM , SIGINT\nFinish what is under way, and end.\n"
        text += ".It Dv SIGHUP\nRead the configuration again.\nWhat needs a restart is named in the log.\n.El\n"
        text += ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n.It Ev HOME\nWhat\n.Pa ~/\nin the configuration stands for.\n"
        text += ".It Ev NO_COLOR\nIn a terminal the ring is not drawn: what happens is told in words.\n.El\n.Sh FILES\n.Bl -tag -width Ds\n"
        text += ".It Pa \(Places.configuration)\nThe configuration.\n.It Pa \(Places.socket)\nThe control socket.\n.It Pa /usr/share/shutterd/boards\nBoard profiles.\n.El\n"
        text += ".Sh EXIT STATUS\nAfter\n.In sysexits.h :\n.Bl -tag -width Ds\n.It 0\nIt was asked to end, and what was under way is finished.\n"
        let meanings: [(ErrorWord, String)] = [
            (.usage, "The options or the waveform make no sense."), (.unavailable, "No encoder, as the answer to --encoder."),
            (.internal, "A fault that a fresh process may cure."), (.cannotCreate, "A folder, lock or socket cannot be made."),
            (.io, "The waveform cannot be read."), (.refused, "Another shutterd is running there."), (.configuration, "The configuration is faulty."),
        ]
        text += meanings.map { ".It \($0.exitCode)\n\($1)\n" }.joined() + ".El\n"
        return text + ".Sh SEE ALSO\n.Xr shutterctl 1 ,\n.Xr shutterd.toml 5\n"
    }

    /// The beginning of a page. The date is the release's, which the version tells better.
    package static func head(_ title: String, _ section: Int, _ name: String, _ what: String) -> String {
        ".\\\" Made from the tables of shutterctl; SPDX-License-Identifier: Apache-2.0\n.Dd $Mdocdate$\n.Dt \(title) \(section)\n.Os shutterd \(Version.current)\n.Sh NAME\n.Nm \(name)\n.Nd \(what)\n"
    }

    /// Text that mdoc takes as it is.
    package static func escaped(_ text: some StringProtocol) -> String {
        var result = String(text).replacing("\\", with: "\\e").replacing("\"", with: "\\(dq").replacing("…", with: "...").replacing("−", with: "-")
        // A word in front that is a macro or starts like one.
        if result.hasPrefix(".") || result.hasPrefix("'") { result = "\\&" + result }
        return result
    }

    private static func verb(_ verb: Verb) -> String {
        var text = ".It Ic \(verb.name)" + verb.arguments.map { argument in
            let word = switch argument.kind {
            case .choice(let words) where words.count <= 5: "Cm " + words.joined(separator: " | ")
            default: "Ar " + argument.name
            }
            return argument.isOptional ? " Oo \(word) Oc" : " \(word)"
        }.joined()
        for option in verb.options where !option.isHidden { text += " Oo Fl Fl \(option.name)\(option.value.map { " Ar \($0)" } ?? "") Oc" }
        text += "\n\(escaped(verb.help))\n"
        if !verb.details.isEmpty { text += escaped(verb.details).replacing(". ", with: ".\n").replacing("? ", with: "?\n") + "\n" }
        if case .choice(let words)? = verb.arguments.first?.kind, words.count > 5 { text += "One of \(words.joined(separator: ", ")).\n" }
        let options = verb.options.filter { !$0.isHidden }
        if !options.isEmpty { text += ".Bl -tag -width Ds\n" + options.map(item).joined() + ".El\n" }
        return text + ".Pp\n.Bd -literal -offset indent -compact\n" + verb.examples.map { escaped($0) + "\n" }.joined() + ".Ed\n"
    }

    private static func item(_ option: Verb.Option) -> String {
        let letter = option.letter.map { "Fl \($0) , " } ?? ""
        return ".It \(letter)Fl Fl \(option.name)\(option.value.map { " Ar \($0)" } ?? "")\n\(sentence(option.help))\n"
    }

    private static func sentence(_ text: String) -> String {
        let first = text.prefix(1).uppercased()
        return escaped(first + text.dropFirst() + (text.hasSuffix(".") ? "" : "."))
    }
}
