package import PipCompose

/// `--fps N|max|camera`: when output frames are made.
package enum ClockArgument: Sendable, Equatable {
    case rate(FrameRate)
    /// As fast as the machine can.
    case maximum
    /// At each frame of the main camera.
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

    /// The clock as the command line has it.
    var text: String {
        switch self {
        case .rate(let rate): "\(rate)"
        case .maximum: "max"
        case .camera: "camera"
        }
    }
}
