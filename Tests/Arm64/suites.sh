# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by `run`: which suites run under emulation, and what of them cannot.

# Optimised, as on a Pi: emulation makes the rest slow enough.
emulable=(ShutterCoreTests ShutterConfigTests ShutterControlTests LayoutTests LinuxIOTests LEDRingTests MediaTests SimulationTests)

# What emulation is no Pi in.
declare -A skipped=(
    ["DaemonTests, RecorderTests"]="they play presses and clips in real time, for which emulation is too slow; programs.sh has the daemon take photos and clips"
    ["GPIOTests"]="qemu passes none of the kernel's requests for lines on"
    ["everyClosureThatHoldsIsOnePress"]="it is a million presses, of logic alone, for which emulation is too slow"
    ["offSaysWhatIsWrong, aDeviceThatIsNoSPI"]="qemu does not know the ioctl(2) of SPI, and answers ENOSYS for what the kernel would refuse"
    ["spaceAndType"]="qemu looks for /proc below the folder of the libraries first"
    ["aTerminalIsDrawnInPlace, keysOfATerminalWorkTheButton"]="there is no /dev/ptmx where emulation runs"
    ["aPluginThatDoesNotFitLeavesItToTheNext"]="its compiler makes libraries for this machine"
)
mapfile -t left_out < <(printf '%s\n' "${!skipped[@]}" | tr -d ' ' | tr ',' '\n' | grep '^[a-z]' | sed 's/^/--skip\n/')

# suites [ARGUMENT OF swift test]…: one line for each suite; what arguments choose is one.
suites() {
    local suite
    debian13_run bash -c '. deploy/cross.sh; cross_swift "$@"' build --scratch-path $suites -c release -Xswiftc -enable-testing --build-tests -Xswiftc -warnings-as-errors >"$work/log" 2>&1 ||
        { not_ok "the suites do not build: $(tail -n 20 "$work/log")"; return; }
    if [ $# -gt 0 ]; then
        suite "$*" "$@"
        return
    fi
    for suite in "${emulable[@]}"; do suite "$suite" --filter "^$suite\\." "${left_out[@]}"; done
    for suite in "${!skipped[@]}"; do echo "skip $suite: ${skipped[$suite]}"; done
}

# suite NAME ARGUMENT…
suite() {
    local name=$1 status=0
    shift
    in_arm64 timeout 3600 "$suites/release/shutterdPackageTests.xctest" --testing-library swift-testing "$@" >"$work/said" 2>&1 || status=$?
    if [ $status -eq 0 ] && grep -q 'Test run with [1-9].* passed' "$work/said"; then
        ok "$name: $(grep -o 'Test run with .* passed' "$work/said")"
    else
        not_ok "$name: ended with $status: $(grep -E 'recorded an issue|rror:|Test run with' "$work/said" | tail -n 40)"
    fi
}
