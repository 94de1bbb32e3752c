package import PipCompose

/// `--fps N|max|camera`: the clock that makes output frames.
package enum ClockArgument: Sendable, Equatable {
    case rate(FrameRate)
    /// Makes frames as fast as the machine can draw them.
    case maximum
    /// Makes a frame whenever the main camera delivers one.
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

    /// The clock in the syntax of `--fps`.
    var text: String {
        switch self {
        case .rate(let rate): "\(rate)"
        case .maximum: "max"
        case .camera: "camera"
        }
    }
}
