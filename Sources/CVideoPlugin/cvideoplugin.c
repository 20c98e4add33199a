// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
// SwiftPM wants a source in every target; the interface is only a header.
#include "CVideoPlugin.h"
