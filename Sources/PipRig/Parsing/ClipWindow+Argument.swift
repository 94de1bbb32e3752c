#if Media
internal import PipCompose
internal import PipMedia

extension ClipWindow {
    /// Reads the length of clips before and after a moment, as in `15s+10s`.
    init(argument text: String) throws(UsageError) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw UsageError(
                "event is \(valueText(text)), but must be the time before a moment and the time after it, as in 15s+10s"
            )
        }
        func time(_ text: String) throws(UsageError) -> Duration {
            ["0", "0s"].contains(text) ? .zero : try Duration(argument: text)
        }
        self.init(before: try time(parts[0]), after: try time(parts[1]))
        if let mistake { throw UsageError("event is \(text): \(mistake)") }
    }
}
#endif
