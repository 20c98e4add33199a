# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by what runs the unit tests, here and in the Debian 13 tree.

# A warning is an error here. The product is only Swift Testing, so XCTest has nothing to run.
build_flags=(-Xswiftc -warnings-as-errors)
test_flags=(--skip-build --disable-xctest "${build_flags[@]}")

# all_tests [COMMAND…]: all unit tests, by COMMAND…. What plays presses in real time has the machine to itself. A machine that is busy
# with other things can spoil others, too: a few that fail are run once more, alone; a fault fails again.
all_tests() (
    said=$(mktemp)
    trap 'rm -f "$said"' EXIT
    for which in --skip --filter; do
        if "$@" swift test "${test_flags[@]}" $which InstantTests 2>&1 | tee "$said"; then continue; fi
        failed=$(sed -nE 's/^✘ Test ([A-Za-z0-9_]+)\(.*\) (with .* )?failed after .*/\1/p' "$said" | sort -u)
        [ -n "$failed" ] && [ "$(wc -l <<<"$failed")" -le 3 ] || exit 1
        echo "--- once more, alone: ${failed//$'\n'/ }"
        "$@" swift test "${test_flags[@]}" --filter "/(${failed//$'\n'/|})\\(" || exit 1
    done
)
