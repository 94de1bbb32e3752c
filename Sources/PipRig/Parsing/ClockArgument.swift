package import PipCompose

/// `--fps N|max|camera`: when output frames are made.
package enum ClockArgument: Sendable, Equatable {
    case rate(FrameRate)
    /// As fast as the machine can.
    case maximum
    /// At each frame of the main camera.
    case camera

    package init(_ text: String) throws(UsageError) {
        if text.lowercased() == "max" {
            self = .maximum
            return
        }
        if text.lowercased() == "camera" {
            self = .camera
            return
        }
        do throws(UsageError) { self = .rate(try FrameRate(argument: text)) } catch {
            throw UsageError("\(error), max or camera")
        }
    }
}
