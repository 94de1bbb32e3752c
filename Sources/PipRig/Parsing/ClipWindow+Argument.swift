#if Media
internal import PipCompose
internal import PipMedia

extension ClipWindow {
    /// Reads the options `event`, such as `15s+10s`, and `lock`, such as `2GB`; nil without `event`.
    init?(_ query: OptionQuery, _ text: String) throws(UsageError) {
        guard let event = query["event"] else {
            guard query["lock"] == nil else {
                throw UsageError("\(text): lock is for clips, as in ?event=15s+10s&lock=2GB")
            }
            return nil
        }
        try self.init(argument: event, lock: query["lock"])
    }

    /// Reads the length of clips before and after a moment, and the size of all locked recordings.
    init(argument text: String, lock: String? = nil) throws(UsageError) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw UsageError(
                "event is \(valueText(text)), but must be the time before a moment and the time after it, as in 15s+10s"
            )
        }
        func time(_ text: String) throws(UsageError) -> Duration {
            ["0", "0s"].contains(text) ? .zero : try Duration(argument: text)
        }
        self.init(
            before: try time(parts[0]), after: try time(parts[1]),
            locked: try lock.map { text throws(UsageError) in try Self.bytes(text) })
        if let mistake { throw UsageError("event is \(text): \(mistake)") }
    }

    private static func bytes(_ text: String) throws(UsageError) -> Int {
        guard let bytes = Int(bytes: text) else {
            throw UsageError("lock is \(valueText(text)), but must be the size of all locked recordings, such as 2GB")
        }
        return bytes
    }
}
#endif
