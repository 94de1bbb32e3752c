/// The tolerances of an ``AudioTimeline``.
package struct TimelineSettings: Hashable, Sendable {
    /// The deviation of a timestamp from the device's clock beyond which samples were lost or repeated: a jump.
    ///
    /// Smaller ones are jitter, or a ``shift`` when they last.
    package var jump = Duration.milliseconds(50)
    /// The error of the reader's place beyond which the reader goes to the right one at once, between fades.
    ///
    /// The device's clock is estimated anew when its newest timestamps deviate by more on average. Smaller errors are
    /// resampled away, at up to 5 ms a second. Sound that leads its picture is noticed from 45 ms on.
    ///
    /// Source: ITU-R BT.1359, "Relative timing of sound and vision for broadcasting".
    package var shift = Duration.milliseconds(20)
    /// The length of the fade where sound begins or ends.
    package var fade = Duration.milliseconds(5)
    /// The sound that must have arrived before a microphone that was late is heard again.
    package var margin = Duration.milliseconds(20)
    /// The sound that is kept for readers.
    package var capacity = Duration.seconds(2)

    package init() {}
}

/// The counts of an ``AudioTimeline``.
package struct TimelineStatistics: Hashable, Sendable {
    /// Jumps in the device's time: lost samples, a device that came back, a machine that slept, timestamps that were
    /// wrong.
    package internal(set) var jumps = 0
    /// Times at which sound had not arrived when it was read.
    package internal(set) var starvations = 0
    /// Output frames without the microphone's sound.
    package internal(set) var silentFrames = 0
    /// Output frames with it.
    package internal(set) var soundingFrames = 0
}
