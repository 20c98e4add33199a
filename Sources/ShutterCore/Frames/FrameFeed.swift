// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// A camera's running frames, for whoever wants many of them: the recorder, the preview. From any thread.
///
/// Subscriptions outlast a camera that fails and comes back.
package protocol FrameFeed: AnyObject, Sendable {
    /// Hands over every frame that completes from now on, in order.
    /// - Parameter instant: the frames still there from the one nearest to it on come first; nil: none of them.
    func subscribe(_ subscriber: any FrameSubscriber, from instant: Timestamp?)
    /// Idempotent. One more frame may be on its way.
    func unsubscribe(_ subscriber: any FrameSubscriber)
}

/// Who is lent the running frames. All is called on the camera's thread, which must not be kept waiting: nothing here
/// may block or take long. A frame is given back by letting go of it, from any thread.
package protocol FrameSubscriber: AnyObject, Sendable {
    /// Whether it wants this frame. Asked of every frame, so that a gap shows, and before any byte is copied.
    func wants(_ metadata: FrameMetadata) -> Bool
    /// A frame it wanted: the camera's own buffer, or a copy where the ring runs low. Shared with other subscribers.
    func take(_ frame: Frame)
    /// A frame it wanted, but all buffers are in use.
    func miss(_ metadata: FrameMetadata)
}
