internal import Glibc
internal import PipCompose
internal import PipText

#if Media
internal import PipMedia
#endif

/// Values that were recorded before: a GPX file, or a CSV file with a column of times.
package struct RecordedTrack: Hashable, Sendable {
    /// The values of one moment, at the time since 1970 or since the beginning.
    struct Point: Hashable, Sendable {
        let time: Duration
        let values: [String: Telemetry.Value]
    }

    /// The largest file, in bytes.
    private static let largestFile = 64 << 20
    /// The largest number of moments: half a day of ten a second.
    static let mostPoints = 500_000

    let points: [Point]
    /// True for times since 1970; false for times since the beginning of the output.
    let isDated: Bool
    /// The time of the first picture; nil for the time that the first movie states.
    let start: WallTime?
    /// The time by which values are shown later.
    let offset: Duration

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - start: The time of the first picture; nil for the time that the first movie states.
    ///   - offset: The time by which values are shown later; negative for earlier.
    /// - Throws: ``UsageError`` for a file that cannot be read, is too large, or has no values with times.
    init(path: String, start: WallTime?, offset: Duration) throws(UsageError) {
        guard let bytes = FileContents.bytes(of: path, limit: Self.largestFile + 1) else {
            throw UsageError("\(path): cannot read the file: \(systemMessage(errno))")
        }
        guard bytes.count <= Self.largestFile else {
            throw UsageError("\(path) has more than \(Self.largestFile >> 20) MB: it must be a GPX or a CSV file")
        }
        if fileEnding(path).lowercased() == "gpx" {
            let document: GPXDocument
            do throws(GPXDocument.Mistake) { document = try GPXDocument(bytes) } catch {
                throw UsageError("\(path) is no GPX file: \(error.reason)")
            }
            points = document.fixes.compactMap { fix in
                fix.time.map { Point(time: $0.sinceEpoch, values: fix.values) }
            }
            isDated = true
        } else {
            let document = CSVDocument(String(decoding: bytes, as: UTF8.self))
            points = document.points.map { Point(time: $0.time, values: $0.values) }
            isDated = document.isDated
        }
        guard !points.isEmpty else {
            throw UsageError(
                "\(path) has no values with times: it must be a GPX file, or a CSV file that begins with a column of times"
            )
        }
        guard isDated || start == nil else {
            throw UsageError("\(path) has seconds from the first picture on: leave start out, or use offset")
        }
        guard points.count <= Self.mostPoints else {
            throw UsageError("\(path) has more than \(Self.mostPoints) moments: shorten it, or take fewer a second")
        }
        (self.start, self.offset) = (start, offset)
    }
}

extension RecordedValues {
    /// Places the values of recorded tracks at the times of the output; nil for a composition without such tracks.
    ///
    /// Reads the header of the first movie, where a track does not tell when the pictures begin.
    ///
    /// - Throws: ``RigError`` when nobody tells it.
    init?(_ rig: Rig) throws(RigError) {
        guard rig.hasTrack else { return nil }
        var entries: [Entry] = []
        for argument in rig.telemetry {
            guard let track = argument.track else { continue }
            let beginning = track.isDated ? try Self.beginning(of: rig, track, argument) : .zero
            entries += track.points.map { point in
                Entry(
                    point.values.named(argument.name), at: point.time - beginning + track.offset,
                    lasting: argument.validity)
            }
        }
        self.init(entries)
    }

    /// The time since 1970 of the output's beginning.
    private static func beginning(
        of rig: Rig, _ track: RecordedTrack, _ argument: TelemetryArgument
    ) throws(RigError) -> Duration {
        if let start = track.start { return start.sinceEpoch }
        var reason = "there is no movie, which could state when it begins"
        #if Media
        for picture in rig.pictures {
            guard case .movie(let movie) = picture.source.kind else { continue }
            if let start = try? MovieFacts(ofFile: movie.path).start { return start.sinceEpoch + movie.from }
            reason = "\(movie.path) does not state when it begins"
            break
        }
        #endif
        throw RigError(
            .invalid, "\(argument.text): \(reason): add the time of the first picture, as in start=2026-03-01T12:00:00Z"
        )
    }
}
