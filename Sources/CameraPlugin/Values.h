// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <libcamera/controls.h>

#include "CCameraPlugin.h"

namespace shutter {

/* Values of libcamera in the shape of the interface. Memory is kept from one use to the next. */
class ValueList
{
public:
	void clear();
	/* \a name must live as long as the list's contents. Values of no type, and those that are none, are left out. */
	void add(const char *name, const libcamera::ControlValue &value);
	void addText(const char *name, std::string_view text);
	void add(const libcamera::ControlList &list);
	/* Valid until the next change. */
	std::span<const shutter_value> values();

private:
	void append(const char *name, uint32_t type, uint32_t count, std::size_t bytes);

	std::vector<shutter_value> values_;
	std::vector<std::size_t> offsets_;
	/* 8 bytes each, for alignment. */
	std::vector<uint64_t> storage_;
};

/*
 * Sets \a value in \a list, by its name and converted to the control's type. -EINVAL, with words: there is no such
 * control, or the value is of another type or count.
 */
int setControl(const libcamera::ControlInfoMap &infos, const shutter_value &value, libcamera::ControlList &list,
	       std::string &words);

/* The name that is written most like \a name; "" without any. */
std::string nearest(const std::string &name, const std::vector<std::string> &names);

} /* namespace shutter */
