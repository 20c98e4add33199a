// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the daemon and a camera plugin say to each other. The plugin is a shared library of its own, loaded at run
// time, since the ABI of libcamera changes with almost every release: only it has to be rebuilt, with g++ alone.
//
// Every function returns 0 or a positive result, or a negative errno; none throws. All are called on one thread, but for
// those that say otherwise. Names of controls and properties are libcamera's.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Changes whenever anything below does; the daemon loads no other.
#define SHUTTER_CAMERA_PLUGIN_VERSION 1
// The one symbol of a plugin: `const struct shutter_camera_plugin *shutter_camera_plugin(void)`.
#define SHUTTER_CAMERA_PLUGIN_SYMBOL "shutter_camera_plugin"

struct shutter_camera;

// Values of controls, properties and metadata.
enum shutter_value_type {
    SHUTTER_VALUE_BOOLEAN, // uint8_t[count], 0 or 1
    SHUTTER_VALUE_INTEGER, // int64_t[count]; a rectangle is x, y, width, height; a size is width, height
    SHUTTER_VALUE_NUMBER,  // double[count]
    SHUTTER_VALUE_TEXT,    // char[], NUL-terminated; count is 1
};

struct shutter_value {
    const char *name;
    uint32_t type;
    uint32_t count;
    const void *data;
};

// As the DRM fourcc's name in libcamera: "YUV420", "NV12", "RGB888", "BGR888", "XRGB8888", "SBGGR10_CSI2P", …
#define SHUTTER_FORMAT_LENGTH 24

struct shutter_camera_plane {
    uint32_t offset; // bytes from the frame's start
    uint32_t stride; // bytes from one row to the next
};

// A validated stream: what the frames really are, not what was wished for.
struct shutter_camera_stream {
    char format[SHUTTER_FORMAT_LENGTH];
    uint32_t width, height; // pixels
    uint32_t plane_count;
    struct shutter_camera_plane planes[3];
    uint32_t frame_size;   // bytes of one frame, over all planes
    uint32_t buffer_count;
    uint8_t is_full_range; // YUV: 0…255 rather than 16…235
    uint8_t is_rec709;     // YUV: Rec. 709 rather than Rec. 601
    uint8_t orientation;   // how the picture must still be turned, EXIF's 1…8
    uint8_t is_raw;
};

// What is wished for. The plugin takes the nearest that the camera has and the daemon can use.
struct shutter_camera_wish {
    uint32_t width, height; // pixels; 0 = as large as the sensor
    uint32_t buffer_count;
    double rate;            // frames a second; 0 = the camera's own
    uint8_t orientation;    // how the camera is mounted, EXIF's 1…8
    uint8_t wants_raw;      // a Bayer stream beside it
};

// A completed frame. It is the daemon's, bytes and metadata, until it is queued again.
struct shutter_camera_frame {
    uint32_t buffer;           // 0 … buffer_count − 1
    int32_t status;            // 0, or a negative errno: the frame holds nothing of worth, but must be queued again all the same
    uint64_t sequence;
    int64_t sensor_timestamp;  // CLOCK_MONOTONIC, ns; libcamera's SensorTimestamp
    const uint8_t *bytes;      // after read()
    size_t size;
    const uint8_t *raw_bytes;  // of the raw stream; NULL where there is none
    size_t raw_size;
    const struct shutter_value *metadata;
    size_t metadata_count;
};

enum shutter_log_level { SHUTTER_LOG_ERROR = 3, SHUTTER_LOG_WARNING = 4, SHUTTER_LOG_INFO = 6, SHUTTER_LOG_DEBUG = 7 };

// Takes one line of libcamera's or the plugin's log. Called on any thread.
typedef void (*shutter_log)(void *context, int level, const char *line);
typedef void (*shutter_tell)(void *context, const struct shutter_value *value);

struct shutter_camera_plugin {
    uint32_t version; // SHUTTER_CAMERA_PLUGIN_VERSION
    uint32_t size;    // of this struct, bytes
    // The libcamera it was built with, and the one that is running: "0.4.0".
    const char *built_with;
    const char *running;

    // Opens a camera by libcamera's id; "" = the first. Starts libcamera with the first camera. Errors: ENODEV no (such)
    // camera, EBUSY another program has it (error() tells which, where it can), EACCES a device node may not be opened. All
    // cameras share one log, the last open's; libcamera's own LIBCAMERA_LOG_LEVELS says how much is in it.
    int (*open)(const char *id, shutter_log log, void *context, struct shutter_camera **camera);
    // Tells the camera's id as "id", its properties, and each control as NAME.min, NAME.max, NAME.default (some follow from
    // the configuration: ask again after configure). With NULL: the ids of all cameras, each as a value named "camera".
    int (*describe)(struct shutter_camera *camera, shutter_tell tell, void *context);
    // Configures, allocates and maps all buffers. Only while stopped, and while nobody reads a frame's bytes: they go. Again
    // with another wish as often as one likes: memory is kept where it fits. `raw` may be NULL; its buffer_count is 0 when
    // there is no such stream. ENOMEM: not enough camera memory; EOPNOTSUPP: no format that the daemon can use. After an error
    // the camera is as it was before, with new buffers; where not even that can be had again, which error() says, start()
    // fails with EINVAL.
    int (*configure)(struct shutter_camera *camera, const struct shutter_camera_wish *wish, struct shutter_camera_stream *stream,
                     struct shutter_camera_stream *raw);
    // Starts with these controls. No buffer is queued yet: queue them.
    int (*start)(struct shutter_camera *camera, const struct shutter_value *controls, size_t count);
    // Stops. Afterwards every buffer is the daemon's, and no completion is left.
    int (*stop)(struct shutter_camera *camera);
    // Readable (an eventfd) while completions wait. The camera's own; not to be closed.
    int (*descriptor)(struct shutter_camera *camera);
    // 1 and the oldest completion, or 0 when there is none. ENODEV: the camera is gone.
    int (*next)(struct shutter_camera *camera, struct shutter_camera_frame *frame);
    // To be called before the bytes of a completed frame are read, else the processor's cache may hold older ones. Costs time
    // on a Pi, so only for frames that are wanted. A second call does nothing; queue() ends it. From any thread.
    int (*read)(struct shutter_camera *camera, uint32_t buffer);
    // Gives a buffer to the camera. From here on its bytes change. EINVAL: it is the camera's already; ECANCELED: the camera
    // is stopped; ENODEV: it is gone. The buffer stays the daemon's then, and error() says nothing. From any thread.
    int (*queue)(struct shutter_camera *camera, uint32_t buffer);
    // Sets controls with the next request that is queued. EINVAL: one is unknown or of the wrong type; error() names it.
    int (*set_controls)(struct shutter_camera *camera, const struct shutter_value *controls, size_t count);
    // Stops, frees everything and takes the pointer back; libcamera itself ends with the last camera. Safe with NULL.
    void (*close)(struct shutter_camera *camera);
    // The last failure in words: what, where, why. With NULL: of the last open.
    const char *(*error)(struct shutter_camera *camera);
};

#ifdef __cplusplus
}
#endif
