// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// libgpiod itself, for CGpiod alone: it brings pkg-config's flags.
#include <gpiod.h>
