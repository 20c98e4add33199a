// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define CTOML_NOEXCEPT noexcept
#else
#define CTOML_NOEXCEPT
#endif

/// A line and a column of the text, both from 1; a column counts code points.
struct ctoml_position {
	uint32_t line;
	uint32_t column;
};

enum ctoml_kind {
	CTOML_STRING,
	CTOML_INTEGER,
	CTOML_REAL,
	CTOML_BOOLEAN,
	/// A date, a time, or both; told apart from the others, but not read.
	CTOML_DATE,
	/// What follows is inside, up to the CTOML_END that belongs to it.
	CTOML_ARRAY,
	CTOML_TABLE,
	CTOML_END,
};

/// One value. Text is UTF-8, not NUL-terminated, and only valid during the visit.
struct ctoml_value {
	enum ctoml_kind kind;
	struct ctoml_position position;
	/// NULL for the elements of an array, the root and CTOML_END.
	const char *key;
	size_t key_length;
	struct ctoml_position key_position;
	const char *text;
	size_t text_length;
	int64_t integer;
	double real;
	bool boolean;
};

typedef void (*ctoml_visitor)(void *context, const struct ctoml_value *value);

/// What is wrong with a text, and where. The message is NUL-terminated.
struct ctoml_error {
	struct ctoml_position position;
	char message[256];
};

/// Parses a text and then visits every value in it, from the root table down, depth first; the keys of a
/// table come in no particular order.
///
/// Returns 0, or -EINVAL with `error` filled in and nothing visited, or -ENOMEM. toml++ stops at the first error.
int ctoml_parse(
	const char *bytes, size_t count, ctoml_visitor visitor, void *context, struct ctoml_error *error) CTOML_NOEXCEPT;

#ifdef __cplusplus
}
#endif
