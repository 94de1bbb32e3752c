#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// Reads a movie file frame by frame: each frame once, at its own time.
final class MovieReader: FrameSupply {
    /// The part of a file to show, and the way to show it.
    struct Options: Sendable, Equatable {
        var from = Duration.zero
        var to: Duration?
        var loops = false
        /// The output rate that replaces the file's; nil keeps the file's rate.
        var rate: FrameRate?
        var alpha = MovieAlpha.automatic
    }

    let description: SourceDescription
    let interruption = Interruption()
    private let path: String
    private let options: Options
    /// The timing of the frames, which the movie's sound follows.
    private let timing: MovieTiming.Opening
    /// The time in the file of its first picture.
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
    /// False once a search for the beginning has failed; then the reader reads the file up to the beginning.
    private var isSearchable = true
    private var isDone = false
    private let clock = MonotonicClock()

    /// The longest time to open a file, and to decode one frame.
    private static let timeout = Duration.seconds(10)
    /// The distances by which a search aims before a part's beginning.
    ///
    /// Demuxers find key frames by times of decoding, which precede times of presentation. Without an index they
    /// estimate places by the bit rate, which may be wrong.
    private static let seekMargins: [Duration] = [.milliseconds(250), .seconds(3), .seconds(30)]
    /// The number of frames that the rate is measured from.
    private static let measuredFrames = 5

    /// Opens a file.
    ///
    /// Blocks until its first frame is decoded.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - options: The part that is shown.
    ///   - timing: Gets the moments of the shown frames.
    /// - Throws: ``PipSources/SourceError`` when the file cannot be shown, or does not open within 10 seconds.
    init(path: String, _ options: Options, _ timing: MovieTiming = MovieTiming()) throws(SourceError) {
        if let to = options.to, to <= options.from {
            throw SourceError(
                path, "open", .invalidOptions,
                "its end at \(to.inSeconds) s does not lie behind its beginning at \(options.from.inSeconds) s")
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
        // The length of a round is known only after the first one. The times of a part count from its first frame.
        guard !options.loops, try next(index: 0) != nil, let round = times.round else { return 0 }
        let target = min(time, description.movieDuration ?? time)
        for margin in Self.seekMargins where isSearchable {
            let jumps = journal.jumps
            guard decoder.seek(to: max(.zero, round.position + target - margin)) else { break }
            opened = []
            // Only a reader from the beginning notices times that start again in the middle.
            if try approach(target), journal.jumps == jumps {
                times.interrupt()
                return times.rate.index(at: target)
            }
        }
        // Without a search the reader must read the whole file.
        try reopen()
        times.reset()
        return 0
    }

    /// Reads up to the frame that is shown at a time, which becomes the next frame.
    ///
    /// - Returns: False when that frame lies before the current position.
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
            // Where a device fails, try to decode on the processor.
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
                // The pictures so far are shown. The failure returns when its picture is due.
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

    /// Moves to the beginning of the shown part.
    private func begin() throws(SourceError) {
        guard options.from > .zero else { return }
        // The times of the file count from its first frame.
        _ = times.place(opened.first?.time, opened.first?.duration)
        times.beginRound()
        try seek()
    }

    /// Moves to a frame before the beginning of the part, or at it.
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

    /// Moves to a time, and decodes the picture there.
    ///
    /// - Returns: False when no picture follows, or when it lies after the beginning of the part.
    private func seek(to time: Duration) throws(SourceError) -> Bool {
        guard decoder.seek(to: time) else { return false }
        opened = []
        do throws(SourceError) {
            guard let picture = try nextPicture("begin at \(options.from.inSeconds) s") else { return false }
            opened = [picture]
            return !times.isBehindStart(picture.time)
        } catch {
            // The decoder understood nothing at that place.
            try reopen()
            return false
        }
    }

    /// Opens the file again, at its first frame.
    private func reopen() throws(SourceError) {
        opened = []
        decoder.stop()
        do throws(MediaError) {
            decoder = try MovieDecoder(
                path, hasFullRange: findings.hasFullRange, alpha: alpha, usesHardware: usesHardware, journal)
        } catch { throw SourceError(path, "begin again", .failed, error.reason) }
    }

    // MARK: Reading

    /// The next picture of this round; nil at the end of the file.
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

    /// Begins the next round of a loop; without a loop, reports what is missing at the end.
    private func finishRound(_ index: Int) throws(SourceError) {
        guard !interruption.isRaised else { return }
        guard times.hasShown else {
            isDone = true
            throw SourceError(
                path, "begin at \(options.from.inSeconds) s", .invalidOptions,
                "it ends before that, or has no frame there")
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
