// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

/// Where the shutter stands. The mode says where it goes back to.
package enum Situation: String, CaseIterable, Sendable {
    case photoIdle, photoPressed, photoBursting
    case videoIdle, videoPressed
    /// A clip that goes on until the next press.
    case recording
    /// A clip that ends with the release.
    case holding
    /// A self-timer runs.
    case countingDown
    /// Photos are taken on a fixed grid.
    case interval
    /// An exposure lasts as long as the press.
    case exposing
    case stopping
}

/// What happened, already judged against camera, storage, encoder and the present mode.
package enum ShutterEvent: String, CaseIterable, Sendable {
    /// A press began; no gesture can follow it.
    case pressDecided
    /// A press began; its gesture is still open.
    case pressOpen
    /// A press began, and what it asks for cannot be done now.
    case pressBlocked
    /// A press began in photo mode, and the drive mode says what comes of it.
    case pressBurst
    case pressTimer
    case pressInterval
    case pressBulb
    case tapped
    case heldToRecord
    case heldToRecordBlocked
    case heldToBurst
    case doubled
    case ended
    case cancelled
    /// What was set for this instant: a burst's or interval's next photo, a timer's end, the end of the longest exposure.
    case due
    /// The same, and no photo can be taken now.
    case dueBlocked
    /// The interval's last photo was due.
    case seriesEnded
    case photoAsked
    case photoBlocked
    case recordAsked
    case recordBlocked
    case stopAsked
    case sameModeAsked
    case otherModeAsked
    case driveAsked
    /// The camera cannot do what the drive mode needs.
    case driveBlocked
    case cameraLost
    case storageLow
    /// The recorder closed the clip by itself.
    case clipEnded
    /// The camera cannot give the frame of the press that is still open.
    case frameFailed
    case quitAsked
}

/// What is done about an event, as a row of the table says.
package enum ShutterAction: Equatable, Sendable {
    case ignore(String)
    case refuse(Refusal)
    /// Refuse with the reason that blocks it.
    case refuseBlocked
    /// Reserve the frame of the press.
    case reserve
    /// Remember the press until its gesture is known.
    case wait
    /// Keep the reserved frame: the photo of the press.
    case keep
    /// The same, since holding cannot record.
    case keepAndWarn
    /// Keep the reserved frame and go on taking more.
    case keepAndBurst
    /// Leave this beat out.
    case skip
    /// The same, and show it.
    case skipVisibly
    /// Reserve and keep at once.
    case take
    /// The same, and go on until the release.
    case takeAndBurst
    /// The same, and again at each beat of a grid that begins with this press.
    case takeAndRepeat
    case endSeries(SeriesEnd)
    case endSeriesAndSwitchMode
    case endSeriesAndSetDrive
    case endSeriesThenQuit
    /// Promise the photo of the timer's end.
    case countDown
    /// The timer has run out: take what was promised.
    case takePromised
    case refusePromised
    /// Begin the exposure of the press.
    case expose
    /// End it, and keep its photo.
    case endExposure
    case endExposureThenQuit
    /// Let go of the press; nil = for the reason its phases gave.
    case cancel(CancelReason?)
    /// The frame of the press is not to be had.
    case fail
    case record
    /// Let go of the reserved frame and record from the press instead.
    case recordInstead
    /// The press that began the clip is held: its release ends it.
    case holdRecording
    /// nil = for the reason the press was cancelled.
    case stop(StopReason?)
    case stopThenQuit
    case switchMode
    case cancelAndSwitchMode(CancelReason)
    case confirmMode
    case setDrive
    case cancelAndSetDrive
    case quit
    case cancelAndQuit
}

/// The whole behaviour of the shutter: for every situation and event, what is done and where it leads.
/// `nil` for the situation after = idle in the present mode.
package func shutterRule(_ situation: Situation, _ event: ShutterEvent) -> (ShutterAction, Situation?) {
    switch (situation, event) {
    case (.photoIdle, .pressDecided): (.take, .photoIdle)
    case (.photoIdle, .pressOpen): (.reserve, .photoPressed)
    case (.photoIdle, .pressBlocked): (.refuseBlocked, .photoIdle)
    case (.photoIdle, .pressBurst): (.takeAndBurst, .photoBursting)
    case (.photoIdle, .pressTimer): (.countDown, .countingDown)
    case (.photoIdle, .pressInterval): (.takeAndRepeat, .interval)
    case (.photoIdle, .pressBulb): (.expose, .exposing)
    case (.photoIdle, .tapped): (.ignore("the photo was taken when the press began"), .photoIdle)
    case (.photoIdle, .heldToRecord): (.ignore("the press was acted upon"), .photoIdle)
    case (.photoIdle, .heldToRecordBlocked): (.ignore("the press was acted upon"), .photoIdle)
    case (.photoIdle, .heldToBurst): (.ignore("the press was acted upon"), .photoIdle)
    case (.photoIdle, .doubled): (.switchMode, nil)
    case (.photoIdle, .ended): (.ignore("nothing waits for the release"), .photoIdle)
    case (.photoIdle, .cancelled): (.ignore("nothing waits for the release"), .photoIdle)
    case (.photoIdle, .due): (.ignore("the burst is over"), .photoIdle)
    case (.photoIdle, .dueBlocked): (.ignore("the burst is over"), .photoIdle)
    case (.photoIdle, .seriesEnded): (.ignore("no interval is on"), .photoIdle)
    case (.photoIdle, .photoAsked): (.take, .photoIdle)
    case (.photoIdle, .photoBlocked): (.refuseBlocked, .photoIdle)
    case (.photoIdle, .recordAsked): (.record, .recording)
    case (.photoIdle, .recordBlocked): (.refuseBlocked, .photoIdle)
    case (.photoIdle, .stopAsked): (.refuse(.notRecording), .photoIdle)
    case (.photoIdle, .sameModeAsked): (.confirmMode, .photoIdle)
    case (.photoIdle, .otherModeAsked): (.switchMode, nil)
    case (.photoIdle, .driveAsked): (.setDrive, .photoIdle)
    case (.photoIdle, .driveBlocked): (.refuse(.noBulb), .photoIdle)
    case (.photoIdle, .cameraLost): (.ignore("nothing is under way"), .photoIdle)
    case (.photoIdle, .storageLow): (.ignore("nothing is under way"), .photoIdle)
    case (.photoIdle, .clipEnded): (.ignore("an earlier clip"), .photoIdle)
    case (.photoIdle, .frameFailed): (.ignore("no frame is reserved for an open press"), .photoIdle)
    case (.photoIdle, .quitAsked): (.quit, .stopping)

    case (.photoPressed, .pressDecided): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .pressOpen): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .pressBlocked): (.refuseBlocked, .photoPressed)
    case (.photoPressed, .pressBurst): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .pressTimer): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .pressInterval): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .pressBulb): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .tapped): (.keep, .photoIdle)
    case (.photoPressed, .heldToRecord): (.recordInstead, .holding)
    case (.photoPressed, .heldToRecordBlocked): (.keepAndWarn, .photoIdle)
    case (.photoPressed, .heldToBurst): (.keepAndBurst, .photoBursting)
    case (.photoPressed, .doubled): (.cancelAndSwitchMode(.superseded), nil)
    case (.photoPressed, .ended): (.ignore("the tap decides, or a second one"), .photoPressed)
    case (.photoPressed, .cancelled): (.cancel(nil), .photoIdle)
    case (.photoPressed, .due): (.ignore("no burst is on"), .photoPressed)
    case (.photoPressed, .dueBlocked): (.ignore("no burst is on"), .photoPressed)
    case (.photoPressed, .seriesEnded): (.ignore("no interval is on"), .photoPressed)
    case (.photoPressed, .photoAsked): (.take, .photoPressed)
    case (.photoPressed, .photoBlocked): (.refuseBlocked, .photoPressed)
    case (.photoPressed, .recordAsked): (.refuse(.pressed), .photoPressed)
    case (.photoPressed, .recordBlocked): (.refuseBlocked, .photoPressed)
    case (.photoPressed, .stopAsked): (.refuse(.notRecording), .photoPressed)
    case (.photoPressed, .sameModeAsked): (.confirmMode, .photoPressed)
    case (.photoPressed, .otherModeAsked): (.cancelAndSwitchMode(.modeChanged), nil)
    case (.photoPressed, .driveAsked): (.cancelAndSetDrive, .photoIdle)
    case (.photoPressed, .driveBlocked): (.refuse(.noBulb), .photoPressed)
    case (.photoPressed, .cameraLost): (.cancel(.cameraLost), .photoIdle)
    case (.photoPressed, .storageLow): (.ignore("this press was accepted before"), .photoPressed)
    case (.photoPressed, .clipEnded): (.ignore("an earlier clip"), .photoPressed)
    case (.photoPressed, .frameFailed): (.fail, .photoIdle)
    case (.photoPressed, .quitAsked): (.cancelAndQuit, .stopping)

    case (.photoBursting, .pressDecided): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .pressOpen): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .pressBlocked): (.refuseBlocked, .photoBursting)
    case (.photoBursting, .pressBurst): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .pressTimer): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .pressInterval): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .pressBulb): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .tapped): (.ignore("the release ends the burst"), .photoBursting)
    case (.photoBursting, .heldToRecord): (.ignore("the hold was acted upon"), .photoBursting)
    case (.photoBursting, .heldToRecordBlocked): (.ignore("the hold was acted upon"), .photoBursting)
    case (.photoBursting, .heldToBurst): (.ignore("the hold was acted upon"), .photoBursting)
    case (.photoBursting, .doubled): (.ignore("the release ends the burst"), .photoBursting)
    case (.photoBursting, .ended): (.ignore("the burst ends here"), .photoIdle)
    case (.photoBursting, .cancelled): (.ignore("the burst ends here"), .photoIdle)
    case (.photoBursting, .due): (.take, .photoBursting)
    case (.photoBursting, .dueBlocked): (.skip, .photoBursting)
    case (.photoBursting, .seriesEnded): (.ignore("no interval is on"), .photoBursting)
    case (.photoBursting, .photoAsked): (.take, .photoBursting)
    case (.photoBursting, .photoBlocked): (.refuseBlocked, .photoBursting)
    case (.photoBursting, .recordAsked): (.refuse(.pressed), .photoBursting)
    case (.photoBursting, .recordBlocked): (.refuseBlocked, .photoBursting)
    case (.photoBursting, .stopAsked): (.refuse(.notRecording), .photoBursting)
    case (.photoBursting, .sameModeAsked): (.confirmMode, .photoBursting)
    case (.photoBursting, .otherModeAsked): (.cancelAndSwitchMode(.modeChanged), nil)
    case (.photoBursting, .driveAsked): (.cancelAndSetDrive, .photoIdle)
    case (.photoBursting, .driveBlocked): (.refuse(.noBulb), .photoBursting)
    case (.photoBursting, .cameraLost): (.cancel(.cameraLost), .photoIdle)
    case (.photoBursting, .storageLow): (.ignore("the burst ends here"), .photoIdle)
    case (.photoBursting, .clipEnded): (.ignore("an earlier clip"), .photoBursting)
    case (.photoBursting, .frameFailed): (.ignore("no frame is reserved for an open press"), .photoBursting)
    case (.photoBursting, .quitAsked): (.cancelAndQuit, .stopping)

    case (.videoIdle, .pressDecided): (.record, .recording)
    case (.videoIdle, .pressOpen): (.wait, .videoPressed)
    case (.videoIdle, .pressBlocked): (.refuseBlocked, .videoIdle)
    case (.videoIdle, .pressBurst): (.ignore("drive modes are of photo mode"), .videoIdle)
    case (.videoIdle, .pressTimer): (.ignore("drive modes are of photo mode"), .videoIdle)
    case (.videoIdle, .pressInterval): (.ignore("drive modes are of photo mode"), .videoIdle)
    case (.videoIdle, .pressBulb): (.ignore("drive modes are of photo mode"), .videoIdle)
    case (.videoIdle, .tapped): (.ignore("the press was acted upon"), .videoIdle)
    case (.videoIdle, .heldToRecord): (.ignore("this press ended the clip"), .videoIdle)
    case (.videoIdle, .heldToRecordBlocked): (.ignore("this press ended the clip"), .videoIdle)
    case (.videoIdle, .heldToBurst): (.ignore("bursts are of photo mode"), .videoIdle)
    case (.videoIdle, .doubled): (.switchMode, nil)
    case (.videoIdle, .ended): (.ignore("nothing waits for the release"), .videoIdle)
    case (.videoIdle, .cancelled): (.ignore("nothing waits for the release"), .videoIdle)
    case (.videoIdle, .due): (.ignore("the burst is over"), .videoIdle)
    case (.videoIdle, .dueBlocked): (.ignore("the burst is over"), .videoIdle)
    case (.videoIdle, .seriesEnded): (.ignore("no interval is on"), .videoIdle)
    case (.videoIdle, .photoAsked): (.take, .videoIdle)
    case (.videoIdle, .photoBlocked): (.refuseBlocked, .videoIdle)
    case (.videoIdle, .recordAsked): (.record, .recording)
    case (.videoIdle, .recordBlocked): (.refuseBlocked, .videoIdle)
    case (.videoIdle, .stopAsked): (.refuse(.notRecording), .videoIdle)
    case (.videoIdle, .sameModeAsked): (.confirmMode, .videoIdle)
    case (.videoIdle, .otherModeAsked): (.switchMode, nil)
    case (.videoIdle, .driveAsked): (.setDrive, .videoIdle)
    case (.videoIdle, .driveBlocked): (.refuse(.noBulb), .videoIdle)
    case (.videoIdle, .cameraLost): (.ignore("nothing is under way"), .videoIdle)
    case (.videoIdle, .storageLow): (.ignore("nothing is under way"), .videoIdle)
    case (.videoIdle, .clipEnded): (.ignore("an earlier clip"), .videoIdle)
    case (.videoIdle, .frameFailed): (.ignore("no frame is reserved for an open press"), .videoIdle)
    case (.videoIdle, .quitAsked): (.quit, .stopping)

    case (.videoPressed, .pressDecided): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .pressOpen): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .pressBlocked): (.refuseBlocked, .videoPressed)
    case (.videoPressed, .pressBurst): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .pressTimer): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .pressInterval): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .pressBulb): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .tapped): (.recordInstead, .recording)
    case (.videoPressed, .heldToRecord): (.recordInstead, .holding)
    case (.videoPressed, .heldToRecordBlocked): (.refuseBlocked, .videoIdle)
    case (.videoPressed, .heldToBurst): (.cancel(.superseded), .videoIdle)
    case (.videoPressed, .doubled): (.cancelAndSwitchMode(.superseded), nil)
    case (.videoPressed, .ended): (.ignore("the tap decides, or a second one"), .videoPressed)
    case (.videoPressed, .cancelled): (.cancel(nil), .videoIdle)
    case (.videoPressed, .due): (.ignore("no burst is on"), .videoPressed)
    case (.videoPressed, .dueBlocked): (.ignore("no burst is on"), .videoPressed)
    case (.videoPressed, .seriesEnded): (.ignore("no interval is on"), .videoPressed)
    case (.videoPressed, .photoAsked): (.take, .videoPressed)
    case (.videoPressed, .photoBlocked): (.refuseBlocked, .videoPressed)
    case (.videoPressed, .recordAsked): (.refuse(.pressed), .videoPressed)
    case (.videoPressed, .recordBlocked): (.refuseBlocked, .videoPressed)
    case (.videoPressed, .stopAsked): (.refuse(.notRecording), .videoPressed)
    case (.videoPressed, .sameModeAsked): (.confirmMode, .videoPressed)
    case (.videoPressed, .otherModeAsked): (.cancelAndSwitchMode(.modeChanged), nil)
    case (.videoPressed, .driveAsked): (.setDrive, .videoPressed)
    case (.videoPressed, .driveBlocked): (.refuse(.noBulb), .videoPressed)
    case (.videoPressed, .cameraLost): (.cancel(.cameraLost), .videoIdle)
    case (.videoPressed, .storageLow): (.cancel(.storageLow), .videoIdle)
    case (.videoPressed, .clipEnded): (.ignore("an earlier clip"), .videoPressed)
    case (.videoPressed, .frameFailed): (.ignore("no frame is reserved for an open press"), .videoPressed)
    case (.videoPressed, .quitAsked): (.cancelAndQuit, .stopping)

    case (.recording, .pressDecided): (.stop(.press), nil)
    case (.recording, .pressOpen): (.stop(.press), nil)
    case (.recording, .pressBlocked): (.stop(.press), nil)
    case (.recording, .pressBurst): (.stop(.press), nil)
    case (.recording, .pressTimer): (.stop(.press), nil)
    case (.recording, .pressInterval): (.stop(.press), nil)
    case (.recording, .pressBulb): (.stop(.press), nil)
    case (.recording, .tapped): (.ignore("the clip began with the press"), .recording)
    case (.recording, .heldToRecord): (.holdRecording, .holding)
    case (.recording, .heldToRecordBlocked): (.ignore("the clip began with the press"), .recording)
    case (.recording, .heldToBurst): (.ignore("bursts are of photo mode"), .recording)
    case (.recording, .doubled): (.ignore("the mode is locked while recording"), .recording)
    case (.recording, .ended): (.ignore("the next press ends the clip"), .recording)
    case (.recording, .cancelled): (.stop(nil), nil)
    case (.recording, .due): (.ignore("no burst is on"), .recording)
    case (.recording, .dueBlocked): (.ignore("no burst is on"), .recording)
    case (.recording, .seriesEnded): (.ignore("no interval is on"), .recording)
    case (.recording, .photoAsked): (.take, .recording)
    case (.recording, .photoBlocked): (.refuseBlocked, .recording)
    case (.recording, .recordAsked): (.refuse(.recording), .recording)
    case (.recording, .recordBlocked): (.refuse(.recording), .recording)
    case (.recording, .stopAsked): (.stop(.request), nil)
    case (.recording, .sameModeAsked): (.confirmMode, .recording)
    case (.recording, .otherModeAsked): (.refuse(.recording), .recording)
    case (.recording, .driveAsked): (.setDrive, .recording)
    case (.recording, .driveBlocked): (.refuse(.noBulb), .recording)
    case (.recording, .cameraLost): (.stop(.cameraLost), nil)
    case (.recording, .storageLow): (.stop(.storageLow), nil)
    case (.recording, .clipEnded): (.ignore("closed by the recorder"), nil)
    case (.recording, .frameFailed): (.ignore("no frame is reserved for an open press"), .recording)
    case (.recording, .quitAsked): (.stopThenQuit, .stopping)

    case (.holding, .pressDecided): (.refuse(.recording), .holding)
    case (.holding, .pressOpen): (.refuse(.recording), .holding)
    case (.holding, .pressBlocked): (.refuse(.recording), .holding)
    case (.holding, .pressBurst): (.refuse(.recording), .holding)
    case (.holding, .pressTimer): (.refuse(.recording), .holding)
    case (.holding, .pressInterval): (.refuse(.recording), .holding)
    case (.holding, .pressBulb): (.refuse(.recording), .holding)
    case (.holding, .tapped): (.ignore("the release ends the clip"), .holding)
    case (.holding, .heldToRecord): (.ignore("the hold was acted upon"), .holding)
    case (.holding, .heldToRecordBlocked): (.ignore("the hold was acted upon"), .holding)
    case (.holding, .heldToBurst): (.ignore("the hold was acted upon"), .holding)
    case (.holding, .doubled): (.ignore("the mode is locked while recording"), .holding)
    case (.holding, .ended): (.stop(.release), nil)
    case (.holding, .cancelled): (.stop(nil), nil)
    case (.holding, .due): (.ignore("no burst is on"), .holding)
    case (.holding, .dueBlocked): (.ignore("no burst is on"), .holding)
    case (.holding, .seriesEnded): (.ignore("no interval is on"), .holding)
    case (.holding, .photoAsked): (.take, .holding)
    case (.holding, .photoBlocked): (.refuseBlocked, .holding)
    case (.holding, .recordAsked): (.refuse(.recording), .holding)
    case (.holding, .recordBlocked): (.refuse(.recording), .holding)
    case (.holding, .stopAsked): (.stop(.request), nil)
    case (.holding, .sameModeAsked): (.confirmMode, .holding)
    case (.holding, .otherModeAsked): (.refuse(.recording), .holding)
    case (.holding, .driveAsked): (.setDrive, .holding)
    case (.holding, .driveBlocked): (.refuse(.noBulb), .holding)
    case (.holding, .cameraLost): (.stop(.cameraLost), nil)
    case (.holding, .storageLow): (.stop(.storageLow), nil)
    case (.holding, .clipEnded): (.ignore("closed by the recorder"), nil)
    case (.holding, .frameFailed): (.ignore("no frame is reserved for an open press"), .holding)
    case (.holding, .quitAsked): (.stopThenQuit, .stopping)

    case (.countingDown, _): countingDownRule(event)
    case (.interval, _): intervalRule(event)
    case (.exposing, _): exposingRule(event)

    case (.stopping, .pressDecided): (.refuse(.stopping), .stopping)
    case (.stopping, .pressOpen): (.refuse(.stopping), .stopping)
    case (.stopping, .pressBlocked): (.refuse(.stopping), .stopping)
    case (.stopping, .pressBurst): (.refuse(.stopping), .stopping)
    case (.stopping, .pressTimer): (.refuse(.stopping), .stopping)
    case (.stopping, .pressInterval): (.refuse(.stopping), .stopping)
    case (.stopping, .pressBulb): (.refuse(.stopping), .stopping)
    case (.stopping, .tapped): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .heldToRecord): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .heldToRecordBlocked): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .heldToBurst): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .doubled): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .ended): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .cancelled): (.ignore("the press was cancelled"), .stopping)
    case (.stopping, .due): (.ignore("the burst is over"), .stopping)
    case (.stopping, .dueBlocked): (.ignore("the burst is over"), .stopping)
    case (.stopping, .seriesEnded): (.ignore("ended by the stop"), .stopping)
    case (.stopping, .photoAsked): (.refuse(.stopping), .stopping)
    case (.stopping, .photoBlocked): (.refuse(.stopping), .stopping)
    case (.stopping, .recordAsked): (.refuse(.stopping), .stopping)
    case (.stopping, .recordBlocked): (.refuse(.stopping), .stopping)
    case (.stopping, .stopAsked): (.refuse(.stopping), .stopping)
    case (.stopping, .sameModeAsked): (.refuse(.stopping), .stopping)
    case (.stopping, .otherModeAsked): (.refuse(.stopping), .stopping)
    case (.stopping, .driveAsked): (.refuse(.stopping), .stopping)
    case (.stopping, .driveBlocked): (.refuse(.stopping), .stopping)
    case (.stopping, .cameraLost): (.ignore("photos in flight fail by themselves"), .stopping)
    case (.stopping, .storageLow): (.ignore("photos in flight fail by themselves"), .stopping)
    case (.stopping, .clipEnded): (.ignore("waited for"), .stopping)
    case (.stopping, .frameFailed): (.ignore("no frame is reserved for an open press"), .stopping)
    case (.stopping, .quitAsked): (.ignore("a second signal changes nothing"), .stopping)
    }
}
