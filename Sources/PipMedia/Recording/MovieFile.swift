#if Media
public import PipCompose
public import PipFrames
internal import PipSinks

/// A recording: one movie file, or several in turn.
///
/// Connect the recording to a picture to record what is composed.
///
/// ```swift
/// let recording = picture --> MovieFile(
///     "drive-%Y%m%d-%H%M%S.mp4", segments: .duration(.seconds(180)), keep: .bytes(20_000_000_000))
/// ```
///
/// Frames have the times at which they were composed. An MP4 file plays even after the program was killed, and is an
/// ordinary MP4 file once it is complete. The recording syncs new data to the disk every quarter of a second.
public struct MovieFile: Sink {
    /// A track beside the picture: the connection to its producer, and the queue of its packets.
    typealias Track = (tap: any TrackTap, feed: TrackFeed)

    public let label: String
    private let container: MovieContainer?
    private let encoding: VideoEncoding?
    let sound: [any AudioProducer]
    private let soundEncoding: AudioEncoding?
    private let texts: TextTrack?
    private let segments: SegmentLimit?
    private let clips: ClipWindow?
    private let keep: Retention?
    private let overwrites: Bool
    private let onFull: DiskPolicy
    private let orientation: Orientation
    private let part: MoviePart?
    private let timeLapse: TimeLapse?
    /// The clock that names the files; tests set it.
    var calendar = RecordingCalendar()

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - path: The path of the file, whose extension decides the container. In the name, fields of `strftime` are
    ///     replaced by the file's beginning in local time, and `%05d` by the file's number, counted from 1.
    ///   - container: The container. Nil takes the container of the extension.
    ///   - encoding: The encoding of pictures. Nil takes the container's usual codec.
    ///   - sound: The sound tracks: a mixer, or single inputs.
    ///   - soundEncoding: The encoding of sound. Nil takes the container's usual codec.
    ///   - texts: The track of texts, which MP4, QuickTime and Matroska files can hold; nil for none.
    ///   - segments: The length of each file. Each file begins with a key frame. No frame is lost between files or
    ///     stored twice. Nil for one file.
    ///   - clips: The length of a clip around each marked moment; nothing else is recorded then. Nil records
    ///     everything.
    ///   - keep: The amount of old files to keep. Nil keeps all.
    ///   - overwrites: True to replace an existing file. Of several files, only the first replaces an existing file.
    ///   - onFull: The behaviour when the disk is full or failing.
    ///   - orientation: The orientation in which players show the pictures, which are stored unturned. Only MP4 and
    ///     QuickTime files can store an orientation.
    ///   - part: The part of a movie composed in parts that this file holds. Nil for a whole movie. All containers but
    ///     MPEG transport streams can store the part's mark.
    ///   - timeLapse: The interval of the pictures, and the rate at which the movie plays them. Nil records in real
    ///     time.
    public init(
        _ path: String, container: MovieContainer? = nil, encoding: VideoEncoding? = nil,
        sound: [any AudioProducer] = [], soundEncoding: AudioEncoding? = nil,
        texts: TextTrack? = nil, segments: SegmentLimit? = nil, clips: ClipWindow? = nil, keep: Retention? = nil,
        overwrites: Bool = false, onFull: DiskPolicy = .stop,
        orientation: Orientation = .identity, part: MoviePart? = nil, timeLapse: TimeLapse? = nil
    ) {
        label = path
        self.container = container ?? MovieContainer(path: path)
        self.encoding = encoding
        self.sound = sound
        self.soundEncoding = soundEncoding
        self.texts = texts
        self.segments = segments
        self.clips = clips
        self.keep = keep
        self.overwrites = overwrites
        self.onFull = onFull
        self.orientation = orientation
        self.part = part
        self.timeLapse = timeLapse
    }

    public var destination: SinkDestination? { .file(label) }

    /// The interval of the time-lapse; nil for a recording in real time.
    public var interval: Duration? { timeLapse?.every }

    public var opening: SinkOpening { opening(playlist: nil).taking(timeLapse?.condition) }

    /// Makes the opening of the sink; `playlist` lists the recording's files, and is nil for a plain recording.
    func opening(playlist: HLSPlaylist?) -> SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                let encoding = try checked().encoding
                do throws(MediaError) {
                    return SinkRequest(format: try EncoderChoice.format(encoding))
                } catch { throw SinkError(label, "open", .cannotCreate, error.reason) }
            },
            encoder: { info, rate in
                EncoderChoice.explained(
                    (try? checked())?.encoding, info, timeLapse?.frameRate ?? rate, output: label)
            },
            heldFrames: (try? checked()).map { EncoderChoice.heldFrames($0.encoding) } ?? 0,
            inputs: SoundInputs(sound),
            open: { context throws(SinkError) in
                let checked = try checked()
                let encoding = checked.encoding
                var plan = checked.plan
                plan.playlist = playlist
                plan.title = MovieTags.title(context.cameraNames)
                plan.clock = context.clock
                try check(plan, codec: plan.codec)
                guard let timeLapse else {
                    let encoder = try sharedEncoder(encoding, context, label: label)
                    let tracks = try openTracks(checked.sound, context)
                    return MovieRecorder(encoder, tracks: tracks, plan: plan, context: context)
                }
                return try open(timeLapse, plan, encoding, context)
            })
    }

    /// Opens the recording of a time-lapse, which has an encoder of its own, since its frames have their own times.
    private func open(
        _ timeLapse: TimeLapse, _ plan: MovieLoop.Plan, _ encoding: VideoEncoding, _ context: SinkContext
    ) throws(SinkError) -> TimeLapseRecorder {
        var context = context
        (context.rate, context.shared) = (timeLapse.frameRate, SharedResources())
        let encoder = try sharedEncoder(encoding, context, label: label)
        return TimeLapseRecorder(
            MovieRecorder(encoder, tracks: [], plan: plan, context: context), rate: timeLapse.frameRate)
    }

    /// Checks the options, and returns the recording's plan and encodings.
    ///
    /// - Throws: ``PipSinks/SinkError`` when options are invalid, or contradict each other.
    func checked() throws(SinkError) -> (
        plan: MovieLoop.Plan, encoding: VideoEncoding, sound: AudioEncoding
    ) {
        func mistake(_ reason: String) -> SinkError { SinkError(label, "open", .invalidOptions, reason) }
        guard let container else { throw mistake(MovieContainer.unknownExtension) }
        var encoding = encoding ?? VideoEncoding(container.codecs[0])
        encoding.isPrompt = timeLapse != nil
        guard container.codecs.contains(encoding.codec) else {
            let codecs = container.codecs.map(\.name).joined(separator: ", ")
            throw mistake("a .\(container.rawValue) file cannot hold \(encoding.codec.name); it holds \(codecs)")
        }
        let soundEncoding = soundEncoding ?? AudioEncoding(container.audioCodecs[0])
        guard sound.isEmpty || container.audioCodecs.contains(soundEncoding.codec) else {
            let codecs = container.audioCodecs.map(\.name).joined(separator: ", ")
            throw mistake("a .\(container.rawValue) file cannot hold \(soundEncoding.codec.name); it holds \(codecs)")
        }
        if let reason = encoding.mistake ?? soundEncoding.mistake ?? segments?.mistake ?? clips?.mistake
            ?? timeLapse?.mistake
        {
            throw mistake(reason)
        }
        if clips != nil, segments != nil { throw mistake("a recording of clips cannot be in parts") }
        if timeLapse != nil, let reason = refusalOfTimeLapse { throw mistake(reason) }
        if let reason = refusal(of: container) { throw mistake(reason) }
        var names = try FileNames(label)
        if segments != nil || clips != nil || keep != nil { names = try names.numbered() }
        if keep != nil, segments == nil, clips == nil {
            throw mistake("keep needs a recording in parts or of clips: set the length of a part, too")
        }
        var plan = MovieLoop.Plan(
            names: names, container: container, codec: encoding.codec, overwrites: overwrites, keep: keep,
            onFull: onFull)
        (plan.segments, plan.clips, plan.orientation) = (segments, clips, orientation)
        (plan.part, plan.timeLapse, plan.calendar) = (part, timeLapse, calendar)
        return (plan, encoding, soundEncoding)
    }

    /// The reason why a container cannot hold what the options ask for, as a sentence without its full stop; nil if it
    /// can.
    private func refusal(of container: MovieContainer) -> String? {
        let subject = "a .\(container.rawValue) file cannot"
        if texts != nil, !container.holdsTexts { return "\(subject) hold a track of texts; use .mp4, .mov or .mkv" }
        if orientation != .identity, container != .mp4, container != .mov {
            return "\(subject) store an orientation; use .mp4 or .mov"
        }
        guard part != nil, container == .ts else { return nil }
        return "\(subject) store which part of a movie it is; use .mp4, .mov, .mkv or .webm"
    }

    /// The option that a time-lapse cannot have, as a sentence without its full stop; nil when there is none.
    private var refusalOfTimeLapse: String? {
        if !sound.isEmpty { return "a time-lapse has no sound" }
        if texts != nil { return "a time-lapse has no texts" }
        if clips != nil { return "a time-lapse has no clips" }
        return part == nil ? nil : "a time-lapse cannot be composed in parts of a movie"
    }

    /// Opens the tracks beside the picture; when one fails, ends the tracks opened before.
    func openTracks(_ encoding: AudioEncoding, _ context: SinkContext) throws(SinkError) -> [Track] {
        var tracks: [Track] = []
        do throws(SinkError) {
            for producer in sound {
                let (tap, feed) = try producer.node.open(encoding, label: label, context)
                tracks.append((tap, feed))
            }
        } catch {
            for track in tracks { track.tap.end(at: .zero) }
            throw error
        }
        if let tap = texts.map({ TextTap($0) }) { tracks.append((tap, tap.feed)) }
        return tracks
    }

    /// Checks that the elements are installed and the file can be created, so that errors do not come only with the
    /// first frame.
    func check(_ plan: MovieLoop.Plan, codec: VideoCodec) throws(SinkError) {
        let muxer = plan.container.muxer(of: codec).split(separator: " ").first.map(String.init) ?? ""
        let parser = codec.containerParser.split(separator: " ").first.map(String.init)
        do throws(MediaError) { try GStreamer.require([muxer] + (parser.map { [$0] } ?? [])) } catch {
            throw SinkError(label, "open", .cannotCreate, error.reason)
        }
        try plan.checkDestination()
    }
}

/// Returns the encoder of an output's picture.
///
/// Outputs with the same picture, size, rate and encoding share one encoder.
///
/// - Throws: ``PipSinks/SinkError`` when no encoder works.
func sharedEncoder(
    _ encoding: VideoEncoding, _ context: SinkContext, label: String
) throws(SinkError) -> VideoEncoder {
    let key = EncoderKey(
        picture: context.picture, layout: context.info.layout, colorimetry: context.info.colorimetry,
        rate: context.rate, encoding: encoding)
    do throws(MediaError) {
        return try context.shared.object(for: key) { () throws(MediaError) in
            try VideoEncoder(
                EncodingRequest(encoding, of: context.info, rate: context.rate), capacity: context.capacity,
                start: context.clock.now,
                relief: { [shared = context.shared] in shared.encodingRelief },
                onReplacement: { [onEvent = context.onEvent] in onEvent(.warning(sink: label, $0)) })
        }
    } catch { throw SinkError(label, "open", .cannotCreate, error.reason) }
}

/// The properties that outputs must share to use the same encoder.
private struct EncoderKey: Hashable, Sendable {
    let picture: NodeID
    let layout: FrameLayout
    let colorimetry: Colorimetry
    let rate: FrameRate
    let encoding: VideoEncoding
}
#endif
