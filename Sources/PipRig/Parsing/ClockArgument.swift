package import PipCompose

/// `--fps N|max|camera`: the output clock.
package enum ClockArgument: Sendable, Equatable {
    case rate(FrameRate)
    /// Makes frames as fast as the machine can.
    case maximum
    /// Makes a frame for each frame of the main camera.
    case camera

    package init(_ text: String) throws(UsageError) {
        switch text.lowercased() {
        case "max": self = .maximum
        case "camera": self = .camera
        default:
            do throws(UsageError) { self = .rate(try FrameRate(argument: text)) } catch {
                throw UsageError("\(error), max or camera")
            }
        }
    }

    /// The text that the command line takes for the clock.
    var text: String {
        switch self {
        case .rate(let rate): "\(rate)"
        case .maximum: "max"
        case .camera: "camera"
        }
    }
}
