#if Media
internal import PipCompose
internal import PipMedia
internal import PipText

extension TextTrack {
    /// A track of values, ten times a second: a JSON object of those that are present.
    init(_ telemetry: Telemetry) {
        self.init { _ in
            // Frames of files may have times that are far from the present, in which values count.
            let now = telemetry.clock.now
            let present = telemetry.readings.all.filter { $0.value.overdue(at: now) == nil }
            return JSON.object(present.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value.value) }).line
        }
    }
}
#endif
