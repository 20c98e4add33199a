// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Session.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <sys/eventfd.h>
#include <unistd.h>

#include "Compat.h"
#include "Log.h"

using libcamera::ControlList;
using libcamera::ControlValue;
using libcamera::Request;

namespace shutter {

namespace {

std::string named(int error)
{
	return std::strerror(-error);
}

} /* namespace */

Session::Session(SharedManager manager, std::shared_ptr<libcamera::Camera> camera)
	: manager_(std::move(manager)), camera_(std::move(camera)), picture_(camera_), raw_(camera_),
	  event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))
{
}

Session::~Session()
{
	if (state_ == State::Running)
		stop();
	camera_->requestCompleted.disconnect(this);
	camera_->disconnected.disconnect(this);
	release();
	picture_.clear();
	raw_.clear();
	if (isAcquired_)
		camera_->release();
}

int Session::fail(int error, const std::string &words)
{
	error_ = words;
	return error;
}

int Session::acquire(bool isOnly)
{
	if (!event_.isValid())
		return fail(-EMFILE, "no descriptor is left for the camera's events");
	const int ret = camera_->acquire();
	if (ret == -EBUSY) {
		const std::string process = isOnly ? holder() : "";
		return fail(ret, (process.empty() ? "another program, or this one," : process) + " has the camera " + camera_->id());
	}
	if (ret < 0)
		return fail(ret == -EPERM ? -EACCES : ret, "the camera " + camera_->id() + " cannot be had: " + named(ret));
	isAcquired_ = true;
	isVirtual_ = compat::isVirtual(*camera_);
	camera_->requestCompleted.connect(this, &Session::requestCompleted);
	camera_->disconnected.connect(this, &Session::disconnected);
	return 0;
}

int Session::describe(shutter_tell tell, void *context)
{
	ValueList list;
	const auto tellAll = [&] {
		for (const shutter_value &value : list.values())
			tell(context, &value);
		list.clear();
	};
	list.addText("id", camera_->id());
	list.add(camera_->properties());
	if (config_) {
		std::string mode = compat::modeOf(*config_);
		/* The raw stream is what the sensor delivers, as it is. */
		if (mode.empty() && config_->size() > 1)
			mode = config_->at(1).size.toString() + ", " + config_->at(1).pixelFormat.toString();
		list.addText("SensorMode", mode);
	}
	tellAll();
	for (const auto &[id, info] : camera_->controls()) {
		const std::string min = id->name() + ".min", max = id->name() + ".max", standard = id->name() + ".default";
		list.add(min.c_str(), info.min());
		list.add(max.c_str(), info.max());
		list.add(standard.c_str(), info.def());
		tellAll();
	}
	return 0;
}

int Session::configure(const shutter_camera_wish &wish, shutter_camera_stream &stream, shutter_camera_stream &raw)
{
	if (state_ == State::Running)
		return fail(-EBUSY, "the camera is running; stop it to configure it");
	const bool hadOne = state_ == State::Configured;
	std::string words;
	int ret = apply(wish, stream, raw, words);
	if (ret == 0)
		return 0;
	if (hadOne && ret != -ENODEV) {
		shutter_camera_stream oldStream, oldRaw;
		std::string why;
		if (apply(wish_, oldStream, oldRaw, why) < 0)
			words += "; and what was before cannot be had again: " + why;
	}
	return fail(ret, words);
}

int Session::apply(const shutter_camera_wish &wish, shutter_camera_stream &stream, shutter_camera_stream &raw, std::string &words)
{
	/* Requests first: they hold frame buffers. */
	release();
	stream = {};
	raw = {};
	Proposal proposal;
	int ret = configureMode(wish, proposal, words);
	if (ret < 0)
		return ret;
	ret = picture_.allocate(proposal.picture(), words);
	if (ret == 0 && wish.wants_raw && proposal.raw())
		ret = raw_.allocate(*proposal.raw(), words);
	else if (ret == 0)
		raw_.clear();
	if (ret == 0)
		ret = shutter::describe(proposal.picture(), picture_, proposal.turn, stream, words);
	if (ret == 0 && raw_.count())
		ret = shutter::describe(*proposal.raw(), raw_, proposal.turn, raw, words);
	if (ret == 0)
		ret = makeRequests(words);
	if (ret < 0) {
		release();
		picture_.clear();
		raw_.clear();
		return ret;
	}
	stream.buffer_count = slots_.size();
	raw.buffer_count = raw_.count() ? slots_.size() : 0;
	config_ = std::move(proposal.config);
	wish_ = wish;
	state_ = State::Configured;
	return 0;
}

/* The whole view is preferred: a mode that sees less is tried only after all that are larger. */
int Session::configureMode(const shutter_camera_wish &wish, Proposal &proposal, std::string &words)
{
	const std::vector<SensorMode> modes = modesFor(*camera_, wish);
	std::size_t index = 0;
	do {
		int ret = propose(*camera_, wish, modes.empty() ? nullptr : &modes[index], proposal, words);
		if (ret < 0)
			return ret;
		ret = camera_->configure(proposal.config.get());
		if (ret < 0) {
			words = "the camera refuses " + proposal.picture().toString() + ": " + named(ret);
			return ret;
		}
	} while (++index < modes.size() && !seesAll(*camera_));
	return 0;
}

int Session::makeRequests(std::string &words)
{
	const std::size_t count = raw_.count() ? std::min(picture_.count(), raw_.count()) : picture_.count();
	std::lock_guard lock(mutex_);
	slots_.resize(count);
	completed_.reserve(count);
	for (std::size_t i = 0; i < count; i++) {
		slots_[i].request = camera_->createRequest(i);
		int ret = slots_[i].request ? 0 : -ENOMEM;
		if (ret == 0)
			ret = slots_[i].request->addBuffer(picture_.stream(), picture_.buffer(i));
		if (ret == 0 && raw_.count())
			ret = slots_[i].request->addBuffer(raw_.stream(), raw_.buffer(i));
		if (ret < 0) {
			words = "cannot make request " + std::to_string(i) + ": " + named(ret);
			return ret;
		}
	}
	return 0;
}

void Session::release()
{
	{
		std::lock_guard lock(mutex_);
		slots_.clear();
		completed_.clear();
	}
	picture_.release();
	raw_.release();
	config_.reset();
	state_ = State::Acquired;
}

int Session::toList(const shutter_value *controls, std::size_t count, ControlList &list)
{
	std::string words;
	for (std::size_t i = 0; i < count; i++) {
		const int ret = setControl(camera_->controls(), controls[i], list, words);
		if (ret < 0)
			return fail(ret, words);
	}
	return 0;
}

/* From the wish's rate, within what the camera can do now. */
void Session::addRate(ControlList &list) const
{
	const libcamera::ControlId &id = libcamera::controls::FrameDurationLimits;
	const auto info = camera_->controls().find(id.id());
	if (!(wish_.rate > 0) || info == camera_->controls().end() || list.contains(id.id()))
		return;
	int64_t duration = std::llround(1e6 / wish_.rate);
	const auto bound = [](const ControlValue &value, int64_t &out) {
		if (value.type() != libcamera::ControlTypeInteger64 || value.data().size() < sizeof(out))
			return false;
		std::memcpy(&out, value.data().data(), sizeof(out));
		return true;
	};
	int64_t least, most;
	if (bound(info->second.min(), least) && bound(info->second.max(), most) && least <= most)
		duration = std::clamp(duration, least, most);
	const int64_t limits[] = { duration, duration };
	list.set(id.id(), ControlValue(libcamera::Span<const int64_t>(limits)));
}

int Session::start(const shutter_value *controls, std::size_t count)
{
	if (state_ != State::Configured)
		return fail(-EINVAL, state_ == State::Running ? "the camera is running already" : "the camera has not been configured");
	ControlList list(camera_->controls());
	int ret = toList(controls, count, list);
	if (ret < 0)
		return ret;
	addRate(list);
	ret = camera_->start(&list);
	if (ret < 0)
		return fail(ret, "the camera does not start: " + named(ret));
	std::lock_guard lock(mutex_);
	state_ = State::Running;
	pending_.clear();
	return 0;
}

int Session::stop()
{
	if (state_ != State::Running)
		return 0;
	{
		std::lock_guard lock(mutex_);
		state_ = State::Configured;
	}
	/* Waits until libcamera's thread has completed all requests, which needs the mutex. */
	const int ret = camera_->stop();
	std::lock_guard lock(mutex_);
	for (Slot &slot : slots_)
		slot.owner = Owner::Daemon;
	completed_.clear();
	if (!isGone_)
		calm();
	return ret < 0 ? fail(ret, "the camera does not stop: " + named(ret)) : 0;
}

int Session::setControls(const shutter_value *controls, std::size_t count)
{
	ControlList list(camera_->controls());
	const int ret = toList(controls, count, list);
	if (ret < 0)
		return ret;
	std::lock_guard lock(mutex_);
	for (const auto &[id, value] : list)
		pending_.set(id, value);
	return 0;
}

} /* namespace shutter */
