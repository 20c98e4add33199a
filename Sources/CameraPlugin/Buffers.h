// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <libcamera/base/shared_fd.h>
#include <libcamera/framebuffer.h>
#include <libcamera/framebuffer_allocator.h>
#include <libcamera/stream.h>

namespace shutter {

/*
 * Frame memory of one frame buffer, in one piece of the address space whatever it is made of. Where the planes are
 * dmabufs of their own, these are mapped one behind the other.
 */
class Mapping
{
public:
	Mapping() = default;
	~Mapping();
	Mapping(Mapping &&other) noexcept;
	Mapping &operator=(Mapping &&other) noexcept;

	int map(const libcamera::FrameBuffer &buffer);
	const uint8_t *bytes() const { return bytes_; }
	std::size_t size() const { return size_; }
	/* Of each of the frame buffer's planes, from bytes(). */
	const std::vector<uint32_t> &offsets() const { return offsets_; }
	/* Reads by the processor are to be between these: the cache may hold older bytes else. */
	void beginReading();
	void endReading();

private:
	void synchronise(uint64_t flags) const;

	uint8_t *bytes_ = nullptr;
	std::size_t mapped_ = 0;
	std::size_t size_ = 0;
	std::vector<uint32_t> offsets_;
	std::vector<libcamera::SharedFD> memory_;
	bool isReading_ = false;
};

/*
 * The buffers of one stream.
 *
 * They come from a dma heap where there is one that cameras can write to, as on every Pi: that memory is cached by the
 * processor (libcamera's own buffers are not on a Pi, and encoding from those takes several times as long), and it can
 * be kept from one configuration to the next. Else from libcamera's allocator, where it is kept when nothing changes.
 */
class Buffers
{
public:
	explicit Buffers(std::shared_ptr<libcamera::Camera> camera);
	~Buffers();

	/* -ENOMEM: nothing is left then. \a config is the validated one that the camera has been configured with. */
	int allocate(const libcamera::StreamConfiguration &config, std::string &words);
	/* Forgets the stream; memory of a heap is kept for the next allocate(). */
	void release();
	/* Gives all memory back. */
	void clear();

	libcamera::Stream *stream() const { return stream_; }
	std::size_t count() const { return mappings_.size(); }
	libcamera::FrameBuffer *buffer(std::size_t index) const;
	Mapping &mapping(std::size_t index) { return mappings_[index]; }

private:
	struct Chunk {
		libcamera::SharedFD fd;
		std::size_t size;
	};

	bool allocateFromHeap(const libcamera::StreamConfiguration &config);
	int allocateFromCamera(const libcamera::StreamConfiguration &config, std::string &words);
	int mapAll(std::string &words);

	std::shared_ptr<libcamera::Camera> camera_;
	std::unique_ptr<libcamera::FrameBufferAllocator> allocator_;
	libcamera::Stream *stream_ = nullptr;
	/* What the allocator's buffers are for, to know whether they still fit. */
	std::string allocatedFor_;
	/* Heap memory, largest use so far. */
	std::vector<Chunk> chunks_;
	std::vector<std::unique_ptr<libcamera::FrameBuffer>> heapBuffers_;
	std::vector<Mapping> mappings_;
};

} /* namespace shutter */
