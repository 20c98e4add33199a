// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#include "Buffers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libcamera/base/unique_fd.h>

#include "Compat.h"
#include "Picture.h"

using libcamera::FrameBuffer;
using libcamera::SharedFD;
using libcamera::StreamConfiguration;

namespace shutter {

namespace {

/*
 * Heaps that every camera pipeline of a Pi can write to. vidbuf_cached is Raspberry Pi OS's link to the right one of
 * the board; the others are names of the contiguous one in different kernels. "system" is not contiguous, which a Pi 4
 * and older need.
 */
constexpr std::array<const char *, 4> kHeaps = { "/dev/dma_heap/vidbuf_cached", "/dev/dma_heap/linux,cma", "/dev/dma_heap/reserved",
						 "/dev/dma_heap/default_cma_region" };

libcamera::UniqueFD openHeap()
{
	for (const char *name : kHeaps) {
		const int fd = ::open(name, O_RDWR | O_CLOEXEC);
		if (fd >= 0)
			return libcamera::UniqueFD(fd);
	}
	return {};
}

/* An invalid one: not enough memory. */
SharedFD allocateChunk(int heap, std::size_t size)
{
	struct dma_heap_allocation_data data = {};
	data.len = size;
	data.fd_flags = O_RDWR | O_CLOEXEC;
	if (::ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data) < 0)
		return SharedFD();
	/* Seen in /sys/kernel/debug/dma_buf; nothing depends on it. */
	::ioctl(data.fd, DMA_BUF_SET_NAME, "shutterd");
	return SharedFD(libcamera::UniqueFD(data.fd));
}

std::size_t pagesOf(std::size_t size)
{
	const std::size_t page = ::sysconf(_SC_PAGESIZE);
	return (size + page - 1) / page * page;
}

bool isSame(int a, int b)
{
	struct stat first, second;
	return a == b || (::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
			  first.st_ino == second.st_ino);
}

/* The frame buffer's planes as libcamera itself lays them out in one piece of memory. */
std::vector<FrameBuffer::Plane> planesOf(const SharedFD &fd, const StreamConfiguration &config)
{
	const FormatLayout *layout = layoutOf(config.pixelFormat);
	const unsigned int count = layout ? layout->planes : 1;
	std::vector<FrameBuffer::Plane> planes(count);
	unsigned int offset = 0;
	for (unsigned int i = 0; i < count; i++) {
		planes[i].fd = fd;
		planes[i].offset = offset;
		planes[i].length = i + 1 == count ? config.frameSize - offset
						  : layout->stride(i, config.stride) * layout->rows(i, config.size.height);
		offset += planes[i].length;
	}
	return planes;
}

} /* namespace */

Mapping::~Mapping()
{
	endReading();
	if (bytes_)
		::munmap(bytes_, mapped_);
}

Mapping::Mapping(Mapping &&other) noexcept
{
	*this = std::move(other);
}

Mapping &Mapping::operator=(Mapping &&other) noexcept
{
	std::swap(bytes_, other.bytes_);
	std::swap(mapped_, other.mapped_);
	std::swap(size_, other.size_);
	std::swap(offsets_, other.offsets_);
	std::swap(memory_, other.memory_);
	std::swap(isReading_, other.isReading_);
	return *this;
}

int Mapping::map(const FrameBuffer &buffer)
{
	/* The dmabufs, and how much of each is used. */
	std::vector<std::size_t> used, memoryOf;
	for (const FrameBuffer::Plane &plane : buffer.planes()) {
		const auto known = std::find_if(memory_.begin(), memory_.end(),
						[&](const SharedFD &fd) { return isSame(fd.get(), plane.fd.get()); });
		const std::size_t index = known - memory_.begin();
		if (known == memory_.end()) {
			memory_.push_back(plane.fd);
			used.push_back(0);
		}
		const unsigned int offset = plane.offset == FrameBuffer::Plane::kInvalidOffset ? 0 : plane.offset;
		used[index] = std::max<std::size_t>(used[index], offset + plane.length);
		memoryOf.push_back(index);
		offsets_.push_back(offset);
	}

	std::vector<std::size_t> starts;
	std::size_t total = 0;
	for (const std::size_t size : used) {
		starts.push_back(total);
		size_ = total + size;
		total += pagesOf(size);
	}
	if (!total)
		return -EINVAL;
	void *space = ::mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (space == MAP_FAILED)
		return -errno;
	bytes_ = static_cast<uint8_t *>(space);
	mapped_ = total;
	for (std::size_t i = 0; i < used.size(); i++) {
		if (::mmap(bytes_ + starts[i], pagesOf(used[i]), PROT_READ, MAP_SHARED | MAP_FIXED, memory_[i].get(), 0) == MAP_FAILED)
			return -errno;
	}
	for (std::size_t i = 0; i < offsets_.size(); i++)
		offsets_[i] += starts[memoryOf[i]];
	return 0;
}

void Mapping::synchronise(uint64_t flags) const
{
	struct dma_buf_sync sync = {};
	sync.flags = flags | DMA_BUF_SYNC_READ;
	for (const SharedFD &fd : memory_) {
		/* ENOTTY: no dmabuf but ordinary shared memory, which needs none. Nothing can be done about other errors. */
		while (::ioctl(fd.get(), DMA_BUF_IOCTL_SYNC, &sync) < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
	}
}

void Mapping::beginReading()
{
	if (!std::exchange(isReading_, true))
		synchronise(DMA_BUF_SYNC_START);
}

void Mapping::endReading()
{
	if (std::exchange(isReading_, false))
		synchronise(DMA_BUF_SYNC_END);
}

Buffers::Buffers(std::shared_ptr<libcamera::Camera> camera)
	: camera_(std::move(camera))
{
}

Buffers::~Buffers()
{
	clear();
}

void Buffers::release()
{
	mappings_.clear();
	heapBuffers_.clear();
	stream_ = nullptr;
}

void Buffers::clear()
{
	release();
	allocator_.reset();
	allocatedFor_.clear();
	chunks_.clear();
}

FrameBuffer *Buffers::buffer(std::size_t index) const
{
	return heapBuffers_.empty() ? allocator_->buffers(stream_)[index].get() : heapBuffers_[index].get();
}

int Buffers::allocate(const StreamConfiguration &config, std::string &words)
{
	release();
	stream_ = config.stream();
	int ret = 0;
	if (!allocateFromHeap(config))
		ret = allocateFromCamera(config, words);
	if (ret == 0)
		ret = mapAll(words);
	if (ret < 0)
		clear();
	return ret;
}

bool Buffers::allocateFromHeap(const StreamConfiguration &config)
{
	const bool fits = chunks_.size() >= config.bufferCount &&
			  std::all_of(chunks_.begin(), chunks_.end(), [&](const Chunk &chunk) { return chunk.size >= config.frameSize; });
	if (!fits) {
		const libcamera::UniqueFD heap = openHeap();
		if (!heap.isValid())
			return false;
		/* What is too small goes first, since there may not be room for both. */
		std::erase_if(chunks_, [&](const Chunk &chunk) { return chunk.size < config.frameSize; });
		while (chunks_.size() < config.bufferCount) {
			SharedFD fd = allocateChunk(heap.get(), pagesOf(config.frameSize));
			if (!fd.isValid()) {
				chunks_.clear();
				return false;
			}
			chunks_.push_back({ std::move(fd), pagesOf(config.frameSize) });
		}
	}
	allocator_.reset();
	allocatedFor_.clear();
	for (unsigned int i = 0; i < config.bufferCount; i++)
		heapBuffers_.push_back(std::make_unique<FrameBuffer>(planesOf(chunks_[i].fd, config)));
	return true;
}

int Buffers::allocateFromCamera(const StreamConfiguration &config, std::string &words)
{
	const std::string wanted = config.toString() + "/" + std::to_string(config.stride) + "/" + std::to_string(config.frameSize) + "/" +
				   std::to_string(config.bufferCount) + "/" + std::to_string(reinterpret_cast<uintptr_t>(stream_));
	if (allocator_ && allocatedFor_ == wanted)
		return 0;
	allocatedFor_.clear();
	allocator_.reset();
	allocator_ = std::make_unique<libcamera::FrameBufferAllocator>(camera_);
	const int ret = allocator_->allocate(stream_);
	if (ret <= 0) {
		words = "no camera memory for " + std::to_string(config.bufferCount) + " buffers of " + std::to_string(config.frameSize) +
			" bytes: " + std::strerror(ret ? -ret : ENOMEM) + "; use a smaller size or fewer buffers";
		return ret == -ENODEV ? ret : -ENOMEM;
	}
	allocatedFor_ = wanted;
	return 0;
}

int Buffers::mapAll(std::string &words)
{
	const std::size_t count = heapBuffers_.empty() ? allocator_->buffers(stream_).size() : heapBuffers_.size();
	for (std::size_t i = 0; i < count; i++) {
		Mapping &mapping = mappings_.emplace_back();
		const int ret = mapping.map(*buffer(i));
		if (ret < 0) {
			words = "cannot map buffer " + std::to_string(i) + ": " + std::strerror(-ret);
			return ret;
		}
		if (mapping.offsets() != mappings_.front().offsets() || mapping.size() != mappings_.front().size()) {
			words = "the buffers of one stream differ in layout";
			return -EINVAL;
		}
	}
	return 0;
}

} /* namespace shutter */
