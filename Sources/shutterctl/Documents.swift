// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import ShutterConfig
import ShutterControl

extension Main {
    /// `man [PAGE]`: for packages, which install what this prints.
    static func manual(_ invocation: Invocation) throws(Failure) {
        switch invocation.arguments.first ?? "shutterctl" {
        case "shutterd": try Output.write(ManPage.daemon)
        case "shutterd.toml": try Output.write(settingsPage)
        default: try Output.write(ManPage.control)
        }
    }

    private static var settingsPage: String {
        var text = ManPage.head("SHUTTERD.TOML", 5, "shutterd.toml", "settings of shutterd")
        text += ".Sh DESCRIPTION\nA TOML file, laid over the profile of the board.\nTimes and sizes carry their unit.\n"
        text += "Faults are listed by\n.Ic shutterctl config check ,\nand what is in effect by\n.Ic shutterctl config show .\n"
        for (table, keys) in Settings.reference {
            text += ".Ss \(table.isEmpty ? "Before all tables" : "[\(table)]")\n.Bl -tag -width Ds\n"
            for (name, expected, preset, doc) in keys {
                text += ".It Ic \(name)\n\(ManPage.escaped(doc))\n.br\nTakes \(ManPage.escaped(expected)); unless set: \(ManPage.escaped(preset)).\n"
            }
            text += ".El\n"
        }
        return text + ".Sh SEE ALSO\n.Xr shutterctl 1 ,\n.Xr shutterd 8\n"
    }
}
