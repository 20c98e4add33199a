// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
//
// An open camera. Who owns what, and the order in which it is taken down:
//
//     Session ─┬─ manager_   CameraManager: libcamera's thread       last
//              ├─ camera_    acquired; shared with libcamera           ▲  released, then let go of
//              ├─ buffers_   FrameBuffers, their mappings, dmabufs     │  mappings, frame buffers, allocator, heap memory
//              └─ requests_  one for each buffer, reused always        first
//
// stop() comes before all of it: after Camera::stop() libcamera has given back every request.
//
//     acquired ──configure──▶ configured ──start──▶ running
//        ▲            ▲  └─configure─┘  ◀──stop──┘
//        └─ configure failed, and what was before cannot be had again either
//
// A request is always one's: the daemon's (idle, or its frame is being read), the camera's (queued), or completed and not
// fetched yet. Only queue() makes it the camera's, and only once; requestCompleted() on libcamera's thread makes it
// completed; next() and stop() make it the daemon's.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <libcamera/camera.h>
#include <libcamera/request.h>

#include "Buffers.h"
#include "CCameraPlugin.h"
#include "Configurator.h"
#include "Manager.h"
#include "Values.h"

namespace shutter {

class Session
{
public:
	Session(SharedManager manager, std::shared_ptr<libcamera::Camera> camera);
	~Session();

	/* isOnly: this program has no other camera. */
	int acquire(bool isOnly);
	int describe(shutter_tell tell, void *context);
	int configure(const shutter_camera_wish &wish, shutter_camera_stream &stream, shutter_camera_stream &raw);
	int start(const shutter_value *controls, std::size_t count);
	int stop();
	int descriptor() const { return event_.get(); }
	int next(shutter_camera_frame &frame);
	int read(uint32_t buffer);
	int queue(uint32_t buffer);
	int setControls(const shutter_value *controls, std::size_t count);
	const char *error() const { return error_.c_str(); }
	/* Keeps the words and returns the error. */
	int fail(int error, const std::string &words);

private:
	enum class State { Acquired, Configured, Running };
	enum class Owner { Daemon, Camera, Completed };

	struct Slot {
		Owner owner = Owner::Daemon;
		std::unique_ptr<libcamera::Request> request;
		ValueList metadata;
	};

	int apply(const shutter_camera_wish &wish, shutter_camera_stream &stream, shutter_camera_stream &raw, std::string &words);
	int configureMode(const shutter_camera_wish &wish, Proposal &proposal, std::string &words);
	int makeRequests(std::string &words);
	void release();
	int toList(const shutter_value *controls, std::size_t count, libcamera::ControlList &list);
	void addRate(libcamera::ControlList &list) const;
	void requestCompleted(libcamera::Request *request) noexcept;
	void disconnected() noexcept;
	void wake() noexcept;
	void calm() noexcept;

	/* Destroyed from the last to the first. */
	SharedManager manager_;
	std::shared_ptr<libcamera::Camera> camera_;
	std::unique_ptr<libcamera::CameraConfiguration> config_;
	Buffers picture_;
	Buffers raw_;
	libcamera::UniqueFD event_;
	State state_ = State::Acquired;
	shutter_camera_wish wish_ = {};
	std::string error_;
	bool isVirtual_ = false;

	/* Guards what follows, and that state_ is Running while a request is queued. libcamera's thread waits for it. */
	std::mutex mutex_;
	std::vector<Slot> slots_;
	/* The oldest first; as much memory as there are slots, so that libcamera's thread allocates none. */
	std::vector<uint32_t> completed_;
	libcamera::ControlList pending_;
	bool isGone_ = false;
	bool isAcquired_ = false;
};

} /* namespace shutter */
