// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// alsa-lib itself, for CAlsa alone: it brings pkg-config's flags.
#include <alsa/asoundlib.h>
