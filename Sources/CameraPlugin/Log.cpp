// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Log.h"

#include <array>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>

#include "Compat.h"

namespace shutter {

namespace {

/*
 * Cuts what libcamera writes into lines. libcamera writes each message whole and holds no lock meanwhile, so messages of
 * several threads meet here.
 */
class LineBuffer : public std::streambuf
{
public:
	void setTarget(shutter_log log, void *context)
	{
		std::lock_guard lock(mutex_);
		log_ = log;
		context_ = context;
	}

	void say(int level, std::string_view words) noexcept
	try {
		std::lock_guard lock(mutex_);
		if (log_)
			log_(context_, level, std::string(words).c_str());
	} catch (...) {
		/* Out of memory: the line is lost. */
	}

protected:
	int_type overflow(int_type character) override
	{
		if (traits_type::eq_int_type(character, traits_type::eof()))
			return traits_type::not_eof(character);
		const char byte = traits_type::to_char_type(character);
		xsputn(&byte, 1);
		return character;
	}

	/* Always says that all was written: a stream that has failed once stays silent. */
	std::streamsize xsputn(const char *bytes, std::streamsize count) noexcept override
	try {
		std::lock_guard lock(mutex_);
		std::string_view rest(bytes, count);
		for (;;) {
			const std::size_t end = rest.find('\n');
			if (end == rest.npos)
				break;
			partial_ += rest.substr(0, end);
			deliver();
			rest.remove_prefix(end + 1);
		}
		partial_ += rest;
		return count;
	} catch (...) {
		return count;
	}

private:
	void deliver()
	{
		int level = SHUTTER_LOG_INFO;
		const std::size_t start = parse(partial_, &level);
		if (log_)
			log_(context_, level, partial_.c_str() + start);
		partial_.clear();
	}

	/* The level, and where the line begins that is left without time, thread and level. */
	static std::size_t parse(std::string_view line, int *level)
	{
		struct Name {
			std::string_view name;
			int level;
		};
		static constexpr std::array<Name, 5> names = { { { "FATAL ", SHUTTER_LOG_ERROR },
								 { "ERROR ", SHUTTER_LOG_ERROR },
								 { "WARN ", SHUTTER_LOG_WARNING },
								 { "INFO ", SHUTTER_LOG_INFO },
								 { "DEBUG ", SHUTTER_LOG_DEBUG } } };
		std::size_t start = 0;
		while (start < line.size() && line[start] == '[') {
			const std::size_t end = line.find(']', start);
			if (end == line.npos)
				return 0;
			start = line.find_first_not_of(' ', end + 1);
			if (start == line.npos)
				return 0;
		}
		for (const Name &name : names) {
			if (line.substr(start).starts_with(name.name)) {
				*level = name.level;
				return start + name.name.size();
			}
		}
		return start;
	}

	std::mutex mutex_;
	shutter_log log_ = nullptr;
	void *context_ = nullptr;
	std::string partial_;
};

/* Never freed: libcamera's threads may be writing to it at any time. */
LineBuffer &buffer()
{
	static LineBuffer *const instance = new LineBuffer;
	return *instance;
}

} /* namespace */

void Log::begin()
{
	static std::ostream *const stream = new std::ostream(&buffer());
	compat::setLogStream(stream);
}

void Log::take(shutter_log log, void *context)
{
	buffer().setTarget(log, context);
}

void Log::drop()
{
	libcamera::logSetTarget(libcamera::LoggingTargetNone);
	buffer().setTarget(nullptr, nullptr);
}

void Log::say(int level, std::string_view words)
{
	buffer().say(level, words);
}

} /* namespace shutter */
