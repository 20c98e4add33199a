# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by `run`: which suites run under emulation, and what of them cannot.

suites=(ShutterCoreTests ShutterConfigTests ShutterControlTests LayoutTests LinuxIOTests LEDRingTests MediaTests SimulationTests)

# run_suites [ARGUMENT OF swift test]…: one line for each suite; the arguments are for all of them at once.
run_suites() {
    local suite
    if [ $# -gt 0 ]; then
        run_suite "$*" "$@"
        return
    fi
    for suite in "${suites[@]}"; do run_suite "$suite" --filter "^$suite\\."; done
}

# run_suite NAME ARGUMENT…
run_suite() {
    local name=$1 said
    shift
    said=$(in_arm64 bash -c '"$SUITES" --testing-library swift-testing "$@"' suites "$@" 2>&1)
    if [ $? -eq 0 ] && grep -q 'Test run with [1-9].* passed' <<<"$said"; then
        echo "ok $name: $(grep -o 'Test run with .* passed' <<<"$said")"
    else
        echo "not ok $name: $(grep -E '^.{0,4} *(Issue|Test .* recorded an issue)|error|Test run with' <<<"$said" | tail -n 40)"
    fi
}
