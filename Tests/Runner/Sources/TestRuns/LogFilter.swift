/// Decides which lines of a test program's output are worth a look while it runs; all are in the log.
public enum LogFilter {
    private static let beginnings = [
        "◇", "✔ Test ", "✔ Suite ", "➜ Suite", "➜ Test ", "↳ Testing Library", "↳ Target Platform", "↳ ///",
        "MESA-LOADER",
        "failed to load driver",
    ]

    /// True when a line tells more than that a test began, passed, or is skipped.
    public static func isTelling(_ line: Substring) -> Bool {
        line.hasPrefix("✔ Test run ") || !beginnings.contains { line.hasPrefix($0) }
    }
}
