// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#include "CToml.h"

#include <cerrno>
#include <cstdio>
#include <new>
#include <string_view>

// toml++ limits how deep values may nest, but not how many parts a dotted key may have; both end up as
// recursion, in here and in its destructors. So both are bounded well below what a thread's stack holds.
#define TOML_MAX_NESTED_VALUES 16
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace {

constexpr size_t maxDotsInLine = 255;

void report(ctoml_error *error, ctoml_position position, std::string_view message)
{
	error->position = position;
	std::snprintf(error->message, sizeof(error->message), "%.*s", static_cast<int>(message.size()), message.data());
}

ctoml_position positionOf(const toml::source_region &source)
{
	return { source.begin.line, source.begin.column };
}

/// A key cannot span lines, so a line's dots bound the depth it can add.
bool checkDots(std::string_view text, ctoml_error *error)
{
	uint32_t line = 1;
	size_t dots = 0;
	for (char byte : text) {
		if (byte == '\n') {
			line++;
			dots = 0;
		} else if (byte == '.' && ++dots > maxDotsInLine) {
			report(error, { line, 1 }, "more than 255 dots in one line");
			return false;
		}
	}
	return true;
}

void visit(const toml::node &node, const toml::key *key, ctoml_visitor visitor, void *context)
{
	ctoml_value value{};
	value.position = positionOf(node.source());
	if (key) {
		value.key = key->str().data();
		value.key_length = key->str().size();
		value.key_position = positionOf(key->source());
	}

	switch (node.type()) {
	case toml::node_type::string: {
		const std::string &text = node.as_string()->get();
		value.kind = CTOML_STRING;
		value.text = text.data();
		value.text_length = text.size();
		break;
	}
	case toml::node_type::integer:
		value.kind = CTOML_INTEGER;
		value.integer = node.as_integer()->get();
		break;
	case toml::node_type::floating_point:
		value.kind = CTOML_REAL;
		value.real = node.as_floating_point()->get();
		break;
	case toml::node_type::boolean:
		value.kind = CTOML_BOOLEAN;
		value.boolean = node.as_boolean()->get();
		break;
	case toml::node_type::array:
		value.kind = CTOML_ARRAY;
		break;
	case toml::node_type::table:
		value.kind = CTOML_TABLE;
		break;
	default:
		value.kind = CTOML_DATE;
		break;
	}
	visitor(context, &value);

	if (const toml::array *array = node.as_array()) {
		for (const toml::node &element : *array)
			visit(element, nullptr, visitor, context);
	} else if (const toml::table *table = node.as_table()) {
		for (auto &&[name, element] : *table)
			visit(element, &name, visitor, context);
	} else {
		return;
	}
	ctoml_value end{};
	end.kind = CTOML_END;
	visitor(context, &end);
}

} // namespace

int ctoml_parse(
	const char *bytes, size_t count, ctoml_visitor visitor, void *context, ctoml_error *error) noexcept
{
	*error = {};
	try {
		const std::string_view text(count > 0 ? bytes : "", count);
		if (!checkDots(text, error))
			return -EINVAL;
		const toml::table root = toml::parse(text);
		visit(root, nullptr, visitor, context);
		return 0;
	} catch (const toml::parse_error &fault) {
		report(error, positionOf(fault.source()), fault.description());
		return -EINVAL;
	} catch (const std::bad_alloc &) {
		return -ENOMEM;
	} catch (const std::exception &fault) {
		report(error, { 0, 0 }, fault.what());
		return -EINVAL;
	} catch (...) {
		report(error, { 0, 0 }, "cannot be parsed");
		return -EINVAL;
	}
}
