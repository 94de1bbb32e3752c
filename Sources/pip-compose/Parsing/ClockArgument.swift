import PipCompose

/// `--fps N|max`: when output frames are made.
enum ClockArgument: Sendable, Equatable {
    case rate(FrameRate)
    /// As fast as the machine can.
    case maximum

    init(_ text: String) throws(UsageError) {
        if text.lowercased() == "max" {
            self = .maximum
            return
        }
        do throws(UsageError) { self = .rate(try FrameRate(argument: text)) } catch {
            throw UsageError("\(error), or max")
        }
    }
}
