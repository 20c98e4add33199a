// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// SwiftPM wants one source file in a C target; all of it is in the header.
#include "CCameraPlugin.h"
