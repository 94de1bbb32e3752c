/// The tolerances of an ``AudioTimeline``.
package struct TimelineSettings: Hashable, Sendable {
    /// The deviation of a timestamp from the device's clock beyond which samples were lost or repeated: a jump.
    ///
    /// Smaller deviations are jitter, or a ``shift`` when they last.
    package var jump = Duration.milliseconds(50)
    /// The error of the reader's position beyond which it jumps to the right one, between fades.
    ///
    /// The device's clock is estimated anew when its newest timestamps deviate by more on average. Resampling corrects
    /// smaller errors, by up to 5 ms a second. People notice sound that leads its picture by 45 ms.
    ///
    /// Source: ITU-R BT.1359, "Relative timing of sound and vision for broadcasting".
    package var shift = Duration.milliseconds(20)
    /// The length of the fade where sound begins or ends.
    package var fade = Duration.milliseconds(5)
    /// The sound that must have arrived before a late microphone is heard again.
    package var margin = Duration.milliseconds(20)
    /// The length of the sound kept for readers.
    package var capacity = Duration.seconds(2)

    package init() {}
}

/// The counters of an ``AudioTimeline``.
package struct TimelineStatistics: Hashable, Sendable {
    /// The number of jumps in the device's time: lost samples, a device that returned, a suspension, wrong timestamps.
    package internal(set) var jumps = 0
    /// The number of times when sound had not arrived as it was read.
    package internal(set) var starvations = 0
    /// The number of output frames without the microphone's sound.
    package internal(set) var silentFrames = 0
    /// The number of output frames with the microphone's sound.
    package internal(set) var soundingFrames = 0
}
