// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a Session that runs for each frame: from the camera to the daemon and back.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "Compat.h"
#include "Session.h"

using libcamera::FrameMetadata;
using libcamera::Request;

namespace shutter {

namespace {

int statusOf(const FrameMetadata &metadata)
{
	if (metadata.status == FrameMetadata::FrameSuccess)
		return 0;
	if (metadata.status == FrameMetadata::FrameCancelled)
		return -ECANCELED;
	return compat::isStartup(metadata.status) ? -EAGAIN : -EIO;
}

int64_t timestampOf(Request &request, const FrameMetadata &metadata)
{
	const auto timestamp = compat::metadata(request).get(libcamera::controls::SensorTimestamp);
	return timestamp ? *timestamp : static_cast<int64_t>(metadata.timestamp);
}

} /* namespace */

/* On libcamera's thread. */
void Session::requestCompleted(Request *request) noexcept
{
	std::lock_guard lock(mutex_);
	Slot &slot = slots_[request->cookie()];
	if (slot.owner != Owner::Camera)
		return;
	slot.owner = Owner::Completed;
	completed_.push_back(request->cookie());
	wake();
}

/* On libcamera's thread. */
void Session::disconnected() noexcept
{
	std::lock_guard lock(mutex_);
	isGone_ = true;
	wake();
}

void Session::wake() noexcept
{
	const uint64_t one = 1;
	[[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof(one));
}

void Session::calm() noexcept
{
	uint64_t count;
	[[maybe_unused]] const ssize_t taken = ::read(event_.get(), &count, sizeof(count));
}

int Session::next(shutter_camera_frame &frame)
{
	uint32_t index;
	{
		std::lock_guard lock(mutex_);
		if (completed_.empty()) {
			/* Stays readable when the camera is gone: the daemon is to notice. */
			if (isGone_)
				return fail(-ENODEV, "the camera " + camera_->id() + " is gone");
			calm();
			return 0;
		}
		index = completed_.front();
		completed_.erase(completed_.begin());
		slots_[index].owner = Owner::Daemon;
		if (completed_.empty() && !isGone_)
			calm();
	}
	Slot &slot = slots_[index];
	Request &request = *slot.request;
	const FrameMetadata &metadata = picture_.buffer(index)->metadata();
	frame = {};
	frame.buffer = index;
	if (isVirtual_) {
		/* That the request is cancelled means nothing either: libcamera takes that from the frames. */
		frame.sequence = request.sequence();
	} else {
		frame.status = request.status() == Request::RequestCancelled ? -ECANCELED : statusOf(metadata);
		frame.sequence = metadata.sequence;
	}
	frame.sensor_timestamp = timestampOf(request, metadata);
	frame.bytes = picture_.mapping(index).bytes();
	frame.size = picture_.mapping(index).size();
	if (raw_.count()) {
		frame.raw_bytes = raw_.mapping(index).bytes();
		frame.raw_size = raw_.mapping(index).size();
		if (frame.status == 0 && !isVirtual_)
			frame.status = statusOf(raw_.buffer(index)->metadata());
	}
	slot.metadata.clear();
	slot.metadata.add(compat::metadata(request));
	const auto values = slot.metadata.values();
	frame.metadata = values.data();
	frame.metadata_count = values.size();
	return 1;
}

int Session::read(uint32_t buffer)
{
	std::lock_guard lock(mutex_);
	if (buffer >= slots_.size() || slots_[buffer].owner != Owner::Daemon)
		return -EINVAL;
	picture_.mapping(buffer).beginReading();
	if (raw_.count())
		raw_.mapping(buffer).beginReading();
	return 0;
}

int Session::queue(uint32_t buffer)
{
	std::lock_guard lock(mutex_);
	if (buffer >= slots_.size() || slots_[buffer].owner != Owner::Daemon)
		return -EINVAL;
	if (isGone_)
		return -ENODEV;
	if (state_ != State::Running)
		return -ECANCELED;
	Slot &slot = slots_[buffer];
	picture_.mapping(buffer).endReading();
	if (raw_.count())
		raw_.mapping(buffer).endReading();
	slot.request->reuse(Request::ReuseBuffers);
	for (const auto &[id, value] : pending_)
		slot.request->controls().set(id, value);
	/* Before it is queued: it may complete at once. */
	slot.owner = Owner::Camera;
	const int ret = camera_->queueRequest(slot.request.get());
	if (ret < 0) {
		slot.owner = Owner::Daemon;
		return ret;
	}
	pending_.clear();
	return 0;
}

} /* namespace shutter */
