package import PipCompose

/// `--fps N|max`: when output frames are made.
package enum ClockArgument: Sendable, Equatable {
    case rate(FrameRate)
    /// As fast as the machine can.
    case maximum

    package init(_ text: String) throws(UsageError) {
        if text.lowercased() == "max" {
            self = .maximum
            return
        }
        do throws(UsageError) { self = .rate(try FrameRate(argument: text)) } catch {
            throw UsageError("\(error), or max")
        }
    }
}
