/// The tolerances and lengths of an ``AudioTimeline``.
package struct TimelineSettings: Hashable, Sendable {
    /// The deviation of a timestamp from the device's clock above which samples count as lost or repeated.
    ///
    /// Smaller deviations are jitter, or a ``shift`` when they last.
    package var jump = Duration.milliseconds(50)
    /// The error of the reader's position above which the reader jumps to the right position, between fades.
    ///
    /// When the newest timestamps deviate by more than `shift` on average, the device's clock is estimated anew.
    /// Resampling corrects smaller errors, by up to 5 ms a second. People notice sound that leads its picture by 45 ms.
    ///
    /// Source: ITU-R BT.1359, "Relative timing of sound and vision for broadcasting".
    package var shift = Duration.milliseconds(20)
    /// The length of the fade where sound begins or ends.
    package var fade = Duration.milliseconds(5)
    /// The length of sound that must have arrived in advance before a source that was late is heard again.
    package var margin = Duration.milliseconds(20)
    /// The length of the sound kept for readers.
    package var capacity = Duration.seconds(2)

    package init() {}
}

/// The counters of an ``AudioTimeline``.
package struct TimelineStatistics: Hashable, Sendable {
    /// The number of jumps: of the device's timestamps, for example after lost samples, and of the reader to its right
    /// position.
    ///
    /// A device that was gone does not jump when it is back: ``AudioTimeline/endRun()`` has announced the gap.
    package internal(set) var jumps = 0
    /// The number of times that the reader fell silent because the source's sound had not arrived yet.
    package internal(set) var starvations = 0
    /// The number of output frames without the source's sound.
    package internal(set) var silentFrames = 0
    /// The number of output frames with the source's sound.
    package internal(set) var soundingFrames = 0
}
