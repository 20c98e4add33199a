# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by what runs the unit tests, here and in the Debian 13 tree.

# all_tests [COMMAND…]: all unit tests, by COMMAND…. What plays presses in real time has the machine to itself. A machine that is busy
# with other things can spoil others, too: a few that fail are run once more, alone; a fault fails again.
all_tests() {
    local said which failed flags=(--skip-build --disable-xctest -Xswiftc -warnings-as-errors)
    said=$(mktemp)
    for which in --skip --filter; do
        if "$@" swift test "${flags[@]}" $which InstantTests 2>&1 | tee "$said"; then continue; fi
        failed=$(sed -nE 's/^✘ Test ([A-Za-z0-9_]+)\(.*\) (with .* )?failed after .*/\1/p' "$said" | sort -u)
        [ -n "$failed" ] && [ "$(wc -l <<<"$failed")" -le 3 ] || { rm -f "$said"; return 1; }
        echo "--- once more, alone: ${failed//$'\n'/ }"
        "$@" swift test "${flags[@]}" --filter "/(${failed//$'\n'/|})\\(" || { rm -f "$said"; return 1; }
    done
    rm -f "$said"
}
