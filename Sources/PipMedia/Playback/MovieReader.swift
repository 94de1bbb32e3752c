#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// Reads a movie file frame by frame: each frame once in each round, with its own timestamp.
final class MovieReader: FrameSupply {
    /// The part of a file to show, and how to show it.
    struct Options: Sendable, Equatable {
        var from = Duration.zero
        var to: Duration?
        var loops = false
        /// The frame rate to report in place of the file's rate; nil to report the file's rate.
        var rate: FrameRate?
        var alpha = MovieAlpha.automatic
    }

    let description: SourceDescription
    let interruption = Interruption()
    private let path: String
    private let options: Options
    /// The progress of the frames, which the movie's sound follows.
    private let timing: MovieTiming.Opening
    /// The stream time of the file's first picture.
    private let origin: Duration
    private let findings: MovieFileCheck.Findings
    private let alpha: MovieAlpha
    private let usesHardware: Bool
    private let orientation: Orientation
    private let journal: RepairJournal
    private var decoder: MovieDecoder
    private var times: MovieTimes
    /// The decoded pictures that the next calls return first, in order.
    private var opened: [DecodedPicture]
    /// False once all seeks have failed; the reader then reads from the file's beginning up to the part to show.
    private var isSearchable = true
    private var isDone = false
    private let clock = MonotonicClock()

    /// The longest time for opening a file, and for decoding one frame.
    private static let timeout = Duration.seconds(10)
    /// The times by which seeks aim before the wanted time, tried one after another.
    ///
    /// Demuxers find key frames by decoding times, which precede presentation times. Without an index, demuxers
    /// estimate positions from the bit rate, which may be wrong.
    private static let seekMargins: [Duration] = [.milliseconds(250), .seconds(3), .seconds(30)]
    /// The number of frames from which the frame rate is measured.
    private static let measuredFrames = 5

    /// Opens a file, and blocks until the first frames are decoded, from which the frame rate is measured.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - options: The part to show, and how to show it.
    ///   - timing: Records the progress of the frames.
    /// - Throws: ``PipSources/SourceError`` when the file cannot be shown, or no frame is decoded within 10 seconds.
    init(path: String, _ options: Options, _ timing: MovieTiming = MovieTiming()) throws(SourceError) {
        if let to = options.to, to <= options.from {
            throw SourceError(
                path, "open", .invalidOptions,
                "the end at \(to.inSeconds) s must be later than the beginning at \(options.from.inSeconds) s")
        }
        findings = try MovieFileCheck.findings(of: path)
        journal = RepairJournal()
        alpha = options.alpha == .automatic ? (findings.isPremultiplied ? .premultiplied : .straight) : options.alpha
        let (decoder, pictures, usesHardware) = try Self.open(path, findings, alpha, journal)
        guard let first = pictures.first else { throw SourceError(path, "open", .damaged, "it has no frames") }
        self.path = path
        self.options = options
        origin = first.streamTime ?? .zero
        self.timing = timing.open()
        self.decoder = decoder
        self.usesHardware = usesHardware
        orientation = decoder.orientation
        let fileRate = FrameRate.measured(first.format.rate, pictures.compactMap(\.time))
        times = MovieTimes(rate: fileRate, from: options.from, to: options.to)
        opened = pictures
        var description = SourceDescription(
            name: path, layout: first.layout, colorimetry: first.format.colorimetry, orientation: orientation,
            rate: options.rate ?? fileRate, length: options.loops ? .endless : .unknown,
            note: findings.truncation ?? (alpha == .ignored ? nil : decoder.alphaNote))
        description.isTimed = true
        description.movieDuration = decoder.length.map { max(.zero, min($0, options.to ?? $0) - options.from) }
        self.description = description
        try begin()
    }

    func skip(to time: Duration) throws(SourceError) -> Int {
        // Nothing is skipped in a loop, because its length is known only after the first round. The first frame is read
        // here, because the times of the part count from it.
        guard !options.loops, try next(index: 0) != nil, let round = times.round else { return 0 }
        let target = min(time, description.movieDuration ?? time)
        for margin in Self.seekMargins where isSearchable {
            let jumps = journal.jumps
            guard decoder.seek(to: max(.zero, round.position + target - margin)) else { break }
            opened = []
            // A jump that is repaired on the way moves all later times, so the position would be wrong.
            if try approach(target), journal.jumps == jumps {
                times.interrupt()
                return times.rate.index(at: target)
            }
        }
        // If no seek succeeds, the reader must read the file from its beginning.
        try reopen()
        times.reset()
        return 0
    }

    /// Reads up to the frame that is shown at `time`, and makes it the next frame.
    ///
    /// - Returns: False when the reader does not find that frame from the current position on.
    private func approach(_ time: Duration) throws(SourceError) -> Bool {
        var shown: (picture: DecodedPicture, offset: Duration)?
        while let picture = try nextPicture("begin at \(time.inSeconds) s") {
            guard let offset = times.offset(of: picture.time), offset >= shown?.offset ?? offset else { return false }
            if offset > time {
                guard let shown else { return false }
                opened = [shown.picture, picture]
                return true
            }
            shown = (picture, offset)
        }
        opened = shown.map { [$0.picture] } ?? []
        return shown != nil
    }

    func next(index: Int) throws(SourceError) -> Frame? {
        while !isDone, !interruption.isRaised {
            guard let picture = try nextPicture("read frame \(index)") else {
                try finishRound(index)
                continue
            }
            switch times.place(picture.time, picture.duration) {
            case .before: continue
            case .after: try finishRound(index)
            case .at(let time):
                if let round = times.round {
                    timing.note(round.start, at: origin + round.position, upTo: times.reach)
                }
                var info = FrameInfo(
                    layout: picture.layout, colorimetry: picture.format.colorimetry, orientation: orientation)
                info.timestamp = Timestamp(nanoseconds: time.nanoseconds)
                info.sequence = UInt64(index)
                return Frame(info: info, buffer: picture.memory)
            }
        }
        return nil
    }

    var repairs: (@Sendable () -> [String])? { { [journal] in journal.sentences } }

    var onMoment: (@Sendable (SourceMoment) -> Void)? { { [timing] in timing.note($0) } }

    func close() {
        timing.end(isStopped: interruption.isRaised)
        opened = []
        decoder.stop()
    }

    // MARK: Opening

    private static func open(
        _ path: String, _ findings: MovieFileCheck.Findings, _ alpha: MovieAlpha, _ journal: RepairJournal
    ) throws(SourceError) -> (decoder: MovieDecoder, pictures: [DecodedPicture], usesHardware: Bool) {
        do throws(MediaError) {
            let decoder = try MovieDecoder(path, hasFullRange: findings.hasFullRange, alpha: alpha, journal)
            return (decoder, try firstPictures(of: decoder), true)
        } catch let first {
            // When a hardware decoder fails, try software decoders.
            if first.kind != .missing, MovieDecoder.hasHardware {
                do throws(MediaError) {
                    let decoder = try MovieDecoder(
                        path, hasFullRange: findings.hasFullRange, alpha: alpha, usesHardware: false, journal)
                    return (decoder, try firstPictures(of: decoder), false)
                } catch {}
            }
            throw SourceError(path, "open", .damaged, first.reason)
        }
    }

    private static func firstPictures(of decoder: MovieDecoder) throws(MediaError) -> [DecodedPicture] {
        var pictures: [DecodedPicture] = []
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: timeout)
        while pictures.count < measuredFrames {
            switch decoder.next(within: .milliseconds(50)) {
            case .picture(let picture): pictures.append(picture)
            case .ended: return pictures
            case .failed(let error):
                // The pictures before the failure are shown. The failure comes again when its picture is due.
                if pictures.isEmpty { throw error }
                return pictures
            case .nothing:
                guard clock.now >= deadline else { continue }
                if pictures.isEmpty {
                    throw MediaError(
                        kind: .failed, reason: "no picture was decoded within \(timeout.components.seconds) s")
                }
                return pictures
            }
        }
        return pictures
    }

    /// Moves to a frame at or before the beginning of the part to show, unless the part begins with the file.
    private func begin() throws(SourceError) {
        guard options.from > .zero else { return }
        // Place the file's first frame, from which the times of the file count.
        _ = times.place(opened.first?.time, opened.first?.duration)
        times.beginRound()
        try seek()
    }

    /// Moves to a frame at or before the beginning of the part.
    private func seek() throws(SourceError) {
        if isSearchable {
            if options.from == .zero {
                if decoder.seek(to: .zero) { return }
            } else {
                for margin in Self.seekMargins where try seek(to: max(.zero, options.from - margin)) { return }
            }
            isSearchable = false
        }
        try reopen()
    }

    /// Seeks to the key frame at or before `time`, and decodes that frame.
    ///
    /// - Returns: False when the frame is later than the part's beginning, when the decoder cannot seek, when no
    ///   picture follows, and when decoding fails. When decoding fails, this method opens the file again.
    private func seek(to time: Duration) throws(SourceError) -> Bool {
        guard decoder.seek(to: time) else { return false }
        opened = []
        do throws(SourceError) {
            guard let picture = try nextPicture("begin at \(options.from.inSeconds) s") else { return false }
            opened = [picture]
            return !times.isBehindStart(picture.time)
        } catch {
            try reopen()
            return false
        }
    }

    /// Opens the file again, from its first frame.
    private func reopen() throws(SourceError) {
        opened = []
        decoder.stop()
        do throws(MediaError) {
            decoder = try MovieDecoder(
                path, hasFullRange: findings.hasFullRange, alpha: alpha, usesHardware: usesHardware, journal)
        } catch { throw SourceError(path, "begin again", .failed, error.reason) }
    }

    // MARK: Reading

    /// Returns the next picture of the current round; nil at the end of the file, and after an interruption.
    ///
    /// - Throws: ``PipSources/SourceError`` when decoding fails, or when no picture comes for 10 seconds.
    private func nextPicture(_ operation: @autoclosure () -> String) throws(SourceError) -> DecodedPicture? {
        if !opened.isEmpty { return opened.removeFirst() }
        let deadline = clock.now.advanced(by: Self.timeout)
        while !interruption.isRaised {
            switch decoder.next(within: .milliseconds(50)) {
            case .picture(let picture): return picture
            case .ended: return nil
            case .failed(let error): throw SourceError(path, operation(), .damaged, error.reason)
            case .nothing:
                guard clock.now >= deadline else { continue }
                throw SourceError(
                    path, operation(), .failed, "nothing was decoded for \(Self.timeout.components.seconds) s")
            }
        }
        return nil
    }

    /// Begins the next round of a loop; without a loop, ends the reader.
    ///
    /// - Throws: ``PipSources/SourceError`` when no frame was shown, when a file that does not loop is truncated, or
    ///   when the file cannot be opened again.
    private func finishRound(_ index: Int) throws(SourceError) {
        guard !interruption.isRaised else { return }
        guard times.hasShown else {
            isDone = true
            throw SourceError(
                path, "begin at \(options.from.inSeconds) s", .invalidOptions,
                options.to.map { "the file has no frame from this time up to the end at \($0.inSeconds) s" }
                    ?? "the file ends before this time, or has no frame after it")
        }
        guard options.loops else {
            isDone = true
            if let truncation = findings.truncation {
                throw SourceError(path, "read frame \(index)", .damaged, truncation)
            }
            return
        }
        times.beginRound()
        try seek()
    }
}
#endif
