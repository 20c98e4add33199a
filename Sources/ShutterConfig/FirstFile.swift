// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The board for machines that no other profile fits.
    package static let anyBoard = "generic"

    /// The file that a machine has at first: its board, and what most people change, to be uncommented.
    ///
    /// - Parameters:
    ///   - board: the profile that fits; nil = none does.
    ///   - model: the device tree's; nil = the machine tells none.
    package static func firstFile(board: String?, model: String?) -> String {
        let machine = model.map { "this is a \(Board.clean($0))" } ?? "this machine tells no model"
        let reason = board == nil ? "; no profile of a board fits: set the line of the button and the driver of the ring below" : ""
        let hint = board == nil ? "" : "# (take this line out if the card moves between boards: then each start finds the board by the machine's model)\n"
        return """
            # Settings of shutterd. They lie over the profile of the board; `man shutterd.toml` has all keys, and
            #   shutterctl config show     what is in effect, and where each value comes from
            #   shutterctl config check    what is wrong in here, with line and column
            #   shutterctl config reload   lets the daemon read it again
            # Lines that begin with # are examples.

            # \(machine)\(reason)
            \(hint)board = "\(board ?? anyBoard)"

            [button.shutter]
            # line = "GPIO17"              # pin 11; the button is between it and ground (pin 9)
            # debounce = "20ms"            # `shutterctl button test` proposes one
            # hold = "500ms"

            [gestures.photo]
            # hold = "record"              # record | burst | none

            [ring]
            # driver = "ws2812-spi"        # sk6812-spi | apa102-spi | gpio | pwm | led-class | none
            # count = 24
            # brightness = 0.4
            # budget = "500mA"             # what the supply can give the ring

            [camera]
            # rotation = 180               # as it is mounted
            # exposure = "1/125s"          # else automatic, and so are gain, ev and awb

            [photo]
            # formats = ["jpeg", "dng"]
            # prioritize = "balanced"      # speed | balanced | quality

            [video]
            # size = "1920x1080"
            # preroll = "0s"               # what a clip shows of the time before the press

            [storage]
            # reserve = "200MB"            # what is left free on the card

            """
    }
}
