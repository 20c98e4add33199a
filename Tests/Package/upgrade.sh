# SPDX-FileCopyrightText: 2026 The shutterd authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# An upgrade in the middle of which the power is cut from outside.
. "${0%/*}/bed.sh"

pull 17 up
systemctl start multi-user.target
wait_for 90 armed || not_ok "it is not armed: $(why)"
echo upgrading
install_from /packages/new >/dev/null 2>&1
sync
echo upgraded
sleep 100
