// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Values.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "Compat.h"

using libcamera::ControlId;
using libcamera::ControlInfoMap;
using libcamera::ControlList;
using libcamera::ControlType;
using libcamera::ControlValue;
using libcamera::Rectangle;
using libcamera::Size;

namespace shutter {

namespace {

/* Integers that one element is made of. */
constexpr uint32_t integersOf(ControlType type)
{
	return type == libcamera::ControlTypeRectangle ? 4 : type == libcamera::ControlTypeSize || compat::isPoint(type) ? 2 : 1;
}

template<typename T>
T elementAt(const uint8_t *bytes, std::size_t index)
{
	T element;
	std::memcpy(&element, bytes + index * sizeof(T), sizeof(T));
	return element;
}

void integersAt(ControlType type, const uint8_t *bytes, std::size_t index, int64_t *out)
{
	if (type == libcamera::ControlTypeByte) {
		*out = bytes[index];
	} else if (type == libcamera::ControlTypeInteger64) {
		*out = elementAt<int64_t>(bytes, index);
	} else if (compat::isUnsigned16(type)) {
		*out = elementAt<uint16_t>(bytes, index);
	} else if (compat::isUnsigned32(type)) {
		*out = elementAt<uint32_t>(bytes, index);
	} else if (type == libcamera::ControlTypeRectangle) {
		const auto rectangle = elementAt<Rectangle>(bytes, index);
		out[0] = rectangle.x;
		out[1] = rectangle.y;
		out[2] = rectangle.width;
		out[3] = rectangle.height;
	} else if (type == libcamera::ControlTypeSize) {
		const auto size = elementAt<Size>(bytes, index);
		out[0] = size.width;
		out[1] = size.height;
	} else if (compat::isPoint(type)) {
		const auto point = elementAt<libcamera::Point>(bytes, index);
		out[0] = point.x;
		out[1] = point.y;
	} else {
		*out = elementAt<int32_t>(bytes, index);
	}
}

bool isKnown(ControlType type)
{
	return type <= libcamera::ControlTypeSize || compat::isPoint(type) || compat::isUnsigned16(type) || compat::isUnsigned32(type);
}

const char *typeName(uint32_t type)
{
	switch (type) {
	case SHUTTER_VALUE_BOOLEAN: return "a boolean";
	case SHUTTER_VALUE_INTEGER: return "an integer";
	case SHUTTER_VALUE_NUMBER: return "a number";
	default: return "text";
	}
}

uint32_t interfaceType(ControlType type)
{
	switch (type) {
	case libcamera::ControlTypeBool: return SHUTTER_VALUE_BOOLEAN;
	case libcamera::ControlTypeFloat: return SHUTTER_VALUE_NUMBER;
	case libcamera::ControlTypeString: return SHUTTER_VALUE_TEXT;
	default: return SHUTTER_VALUE_INTEGER;
	}
}

template<typename T>
bool store(int64_t integer, uint8_t *out)
{
	if (integer < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
	    (sizeof(T) < 8 && integer > static_cast<int64_t>(std::numeric_limits<T>::max())))
		return false;
	const T element = static_cast<T>(integer);
	std::memcpy(out, &element, sizeof(T));
	return true;
}

/* One element from its integers; false: it does not fit. */
bool storeIntegers(ControlType type, const int64_t *in, uint8_t *out)
{
	if (type == libcamera::ControlTypeByte || type == libcamera::ControlTypeBool)
		return store<uint8_t>(*in, out) && (type == libcamera::ControlTypeByte || *in <= 1);
	if (type == libcamera::ControlTypeInteger64)
		return store<int64_t>(*in, out);
	if (compat::isUnsigned16(type))
		return store<uint16_t>(*in, out);
	if (compat::isUnsigned32(type))
		return store<uint32_t>(*in, out);
	if (type == libcamera::ControlTypeRectangle)
		return store<int32_t>(in[0], out + offsetof(Rectangle, x)) && store<int32_t>(in[1], out + offsetof(Rectangle, y)) &&
		       store<uint32_t>(in[2], out + offsetof(Rectangle, width)) &&
		       store<uint32_t>(in[3], out + offsetof(Rectangle, height));
	if (type == libcamera::ControlTypeSize)
		return store<uint32_t>(in[0], out + offsetof(Size, width)) && store<uint32_t>(in[1], out + offsetof(Size, height));
	if (compat::isPoint(type))
		return store<int32_t>(in[0], out + offsetof(libcamera::Point, x)) &&
		       store<int32_t>(in[1], out + offsetof(libcamera::Point, y));
	return store<int32_t>(*in, out);
}

/* Fills \a out, reserved already, from \a value; false: something does not fit. */
bool fill(ControlType type, const shutter_value &value, uint32_t parts, ControlValue &out)
{
	uint8_t *bytes = out.data().data();
	const std::size_t count = out.numElements();
	if (type == libcamera::ControlTypeString) {
		std::memcpy(bytes, value.data, count);
		return true;
	}
	const std::size_t size = count ? out.data().size() / count : 0;
	for (std::size_t i = 0; i < count; i++, bytes += size) {
		if (type == libcamera::ControlTypeFloat) {
			const double number = value.type == SHUTTER_VALUE_NUMBER
						      ? static_cast<const double *>(value.data)[i]
						      : static_cast<double>(static_cast<const int64_t *>(value.data)[i]);
			if (!std::isfinite(number) || std::abs(number) > std::numeric_limits<float>::max())
				return false;
			const float element = static_cast<float>(number);
			std::memcpy(bytes, &element, sizeof(element));
		} else if (value.type == SHUTTER_VALUE_BOOLEAN) {
			*bytes = static_cast<const uint8_t *>(value.data)[i] != 0;
		} else if (!storeIntegers(type, static_cast<const int64_t *>(value.data) + i * parts, bytes)) {
			return false;
		}
	}
	return true;
}

bool accepts(ControlType type, uint32_t given)
{
	switch (type) {
	case libcamera::ControlTypeBool: return given == SHUTTER_VALUE_BOOLEAN || given == SHUTTER_VALUE_INTEGER;
	case libcamera::ControlTypeFloat: return given == SHUTTER_VALUE_NUMBER || given == SHUTTER_VALUE_INTEGER;
	case libcamera::ControlTypeString: return given == SHUTTER_VALUE_TEXT;
	default: return given == SHUTTER_VALUE_INTEGER && isKnown(type);
	}
}

} /* namespace */

void ValueList::clear()
{
	values_.clear();
	offsets_.clear();
	storage_.clear();
}

void ValueList::append(const char *name, uint32_t type, uint32_t count, std::size_t bytes)
{
	offsets_.push_back(storage_.size());
	storage_.resize(storage_.size() + (bytes + 7) / 8);
	values_.push_back({ name, type, count, nullptr });
}

void ValueList::add(const char *name, const ControlValue &value)
{
	const ControlType type = value.type();
	const std::size_t count = value.numElements();
	if (type == libcamera::ControlTypeNone || !isKnown(type))
		return;
	const uint8_t *bytes = value.data().data();
	switch (type) {
	case libcamera::ControlTypeBool:
		append(name, SHUTTER_VALUE_BOOLEAN, count, count);
		if (count)
			std::memcpy(&storage_[offsets_.back()], bytes, count);
		break;
	case libcamera::ControlTypeFloat:
		append(name, SHUTTER_VALUE_NUMBER, count, count * sizeof(double));
		for (std::size_t i = 0; i < count; i++) {
			const double number = elementAt<float>(bytes, i);
			std::memcpy(&storage_[offsets_.back() + i], &number, sizeof(number));
		}
		break;
	case libcamera::ControlTypeString:
		addText(name, { reinterpret_cast<const char *>(bytes), count });
		break;
	default: {
		const uint32_t parts = integersOf(type);
		append(name, SHUTTER_VALUE_INTEGER, count * parts, count * parts * sizeof(int64_t));
		for (std::size_t i = 0; i < count; i++)
			integersAt(type, bytes, i, reinterpret_cast<int64_t *>(&storage_[offsets_.back() + i * parts]));
	}
	}
}

void ValueList::addText(const char *name, std::string_view text)
{
	append(name, SHUTTER_VALUE_TEXT, 1, text.size() + 1);
	char *out = reinterpret_cast<char *>(&storage_[offsets_.back()]);
	if (!text.empty())
		std::memcpy(out, text.data(), text.size());
	out[text.size()] = '\0';
}

void ValueList::add(const ControlList &list)
{
	const libcamera::ControlIdMap *ids = list.idMap();
	if (!ids)
		return;
	for (const auto &[id, value] : list) {
		/* Ids and their names are libcamera's constants. */
		if (auto found = ids->find(id); found != ids->end())
			add(found->second->name().c_str(), value);
	}
}

std::span<const shutter_value> ValueList::values()
{
	for (std::size_t i = 0; i < values_.size(); i++)
		values_[i].data = storage_.data() + offsets_[i];
	return values_;
}

int setControl(const ControlInfoMap &infos, const shutter_value &value, ControlList &list, std::string &words)
{
	const std::string name = value.name ? value.name : "";
	const ControlId *id = nullptr;
	std::vector<std::string> names;
	for (const auto &[candidate, info] : infos) {
		if (!compat::isInput(*candidate))
			continue;
		if (candidate->name() == name)
			id = candidate;
		names.push_back(candidate->name());
	}
	if (!id) {
		const std::string known = nearest(name, names);
		words = "this camera has no control \"" + name + "\"";
		words += known.empty() ? "; it has none at all" : "; the nearest is " + known;
		return -EINVAL;
	}
	const ControlType type = id->type();
	if (!accepts(type, value.type)) {
		words = name + " takes " + typeName(interfaceType(type)) + ", not " + typeName(value.type);
		return -EINVAL;
	}
	const uint32_t parts = integersOf(type);
	const bool isText = type == libcamera::ControlTypeString;
	const std::size_t size = isText ? compat::kAnySize : compat::arraySize(*id);
	const std::size_t given = isText ? std::strlen(static_cast<const char *>(value.data)) : value.count;
	if (given % parts || (size != compat::kAnySize && given != std::max<std::size_t>(size, 1) * parts)) {
		words = name + " takes " + (size == compat::kAnySize ? "a multiple of " + std::to_string(parts)
								      : std::to_string(std::max<std::size_t>(size, 1) * parts)) +
			" values, not " + std::to_string(given);
		return -EINVAL;
	}
	ControlValue converted;
	converted.reserve(type, size != 0, given / parts);
	if (!fill(type, value, parts, converted)) {
		words = name + ": the value does not fit its type";
		return -EINVAL;
	}
	list.set(id->id(), converted);
	return 0;
}

std::string nearest(const std::string &name, const std::vector<std::string> &names)
{
	std::string best;
	std::size_t least = std::numeric_limits<std::size_t>::max();
	for (const std::string &candidate : names) {
		std::vector<std::size_t> row(candidate.size() + 1);
		std::iota(row.begin(), row.end(), 0);
		for (std::size_t i = 0; i < name.size(); i++) {
			std::size_t diagonal = row[0]++;
			for (std::size_t j = 0; j < candidate.size(); j++) {
				const bool same = std::tolower(static_cast<unsigned char>(name[i])) ==
						  std::tolower(static_cast<unsigned char>(candidate[j]));
				const std::size_t cost = diagonal + !same;
				diagonal = row[j + 1];
				row[j + 1] = std::min({ cost, row[j] + 1, row[j + 1] + 1 });
			}
		}
		if (row.back() < least || (row.back() == least && candidate < best)) {
			least = row.back();
			best = candidate;
		}
	}
	return best;
}

} /* namespace shutter */
