#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// A live stream to a server or to receivers: RTMP, SRT, RTSP, MPEG-TS or RTP over UDP.
///
/// Connect the stream to a picture to send the picture live.
///
/// ```swift
/// let stream = picture --> LiveStream(try StreamAddress("srt://studio.example.org:9000?latency=200"))
/// ```
///
/// The stream connects again, without a limit, to a server that refuses, vanishes, hangs or cannot be reached, and then
/// continues from a key frame. Other outputs are not affected.
public struct LiveStream: Sink {
    private let address: StreamAddress
    private let encoding: VideoEncoding?
    private let sound: (any AudioProducer)?
    private let soundBitRate: Int

    /// Creates a stream, which connects when its session opens.
    ///
    /// - Parameters:
    ///   - address: The address of the server or the receivers.
    ///   - encoding: The encoding of pictures. Nil takes the transport's usual codec.
    ///   - sound: The sound: a mixer, or one of its inputs. Nil for a stream without sound. RTP sends Opus, the other
    ///     transports AAC.
    ///   - soundBitRate: The bit rate of the sound in bits a second.
    public init(
        _ address: StreamAddress, encoding: VideoEncoding? = nil, sound: (any AudioProducer)? = nil,
        soundBitRate: Int = 128_000
    ) {
        self.address = address
        self.encoding = encoding
        self.sound = sound
        self.soundBitRate = soundBitRate
    }

    public var label: String { address.description }

    public var destination: SinkDestination? { .path(address.location) }

    public var opening: SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                let encoding = try checked()
                do throws(MediaError) {
                    return SinkRequest(format: try EncoderChoice.format(encoding))
                } catch { throw SinkError(label, "open", .cannotCreate, error.reason) }
            },
            encoder: { info, rate in EncoderChoice.explained(try? checked(), info, rate, output: label) },
            heldFrames: (try? checked()).map { EncoderChoice.heldFrames($0) } ?? 0,
            inputs: sound.map { SoundInputs([$0]) },
            open: { context throws(SinkError) in
                let encoding = try checked()
                let missing = address.transport.elements(encoding.codec, hasSound: sound != nil)
                    .filter { !GStreamer.has($0) }
                if !missing.isEmpty { throw SinkError(label, "open", .cannotCreate, GStreamer.missing(missing).reason) }
                if let description = address["sdp"] { try StreamDescriptionFile(description).checkFolder() }
                let encoder = try sharedEncoder(encoding, context, label: label)
                let plan = StreamLoop.Plan(
                    address: address, codec: encoding.codec, isPaced: context.policy == .block,
                    bytesPerSecond: Double(encoding.bitRate(context.info.layout.size, context.rate)) / 8,
                    limits: address.transport == .srt ? .forSRT : StreamLoop.Limits())
                let sound = try sound?.node.open(
                    AudioEncoding(address.transport.audioCodec, bitRate: soundBitRate), label: label, context)
                return StreamOutput(
                    encoder, sound: sound, plan: plan, context: context, slower: slower(encoding, encoder, context))
            })
    }

    /// Makes a function that returns an encoder for a share of the bit rate, above 0.
    ///
    /// A share below 1 gets a new encoder, which this stream does not share with other outputs. The full share gets the
    /// shared encoder.
    ///
    /// - Returns: The function. Nil for an encoding by quality, whose bit rate is unknown.
    private func slower(
        _ encoding: VideoEncoding, _ shared: VideoEncoder, _ context: SinkContext
    ) -> (@Sendable (Double) -> VideoEncoder?)? {
        if case .quality = encoding.rate { return nil }
        let bits = encoding.bitRate(context.info.layout.size, context.rate)
        let start = context.clock.now
        let (info, rate, capacity, label, resources, onEvent) =
            (context.info, context.rate, context.capacity, label, context.shared, context.onEvent)
        return { share in
            guard share < 1 else { return shared }
            var less = encoding
            less.rate = .bits(max(10_000, Int(Double(bits) * share)))
            // When the encoder cannot be made, the stream keeps its current encoder.
            return try? VideoEncoder(
                EncodingRequest(less, of: info, rate: rate), capacity: capacity, start: start,
                relief: { resources.encodingRelief }, onReplacement: { onEvent(.warning(sink: label, $0)) })
        }
    }

    private func checked() throws(SinkError) -> VideoEncoding {
        let codecs = address.transport.codecs
        let encoding = encoding ?? VideoEncoding(codecs[0])
        guard codecs.contains(encoding.codec) else {
            let names = codecs.map(\.name).joined(separator: ", ")
            throw SinkError(
                label, "open", .invalidOptions,
                "\(address.transport.rawValue):// cannot carry \(encoding.codec.name); it carries \(names)")
        }
        if let mistake = encoding.mistake ?? AudioEncoding(.aac, bitRate: soundBitRate).mistake {
            throw SinkError(label, "open", .invalidOptions, mistake)
        }
        return encoding
    }
}

/// The output of a stream: hands frames to an encoder, and the packets to a connection.
final class StreamOutput: FrameReceiver {
    private let frames: EncodedFrames
    private let loop: StreamLoop
    private let sound: SoundTap?
    private let interval: Duration
    /// The end of the last submitted frame; nil before the first, and for a stream without sound.
    private let end = Monitor<Timestamp?>(nil)
    private let clock: MonotonicClock

    init(
        _ encoder: VideoEncoder, sound: (tap: SoundTap, feed: TrackFeed)?, plan: StreamLoop.Plan,
        context: SinkContext,
        slower: (@Sendable (Double) -> VideoEncoder?)?
    ) {
        clock = context.clock
        self.sound = sound?.tap
        interval = context.rate.interval
        let capacity = max(16, Int(context.rate.framesPerSecond.rounded()) * 4)
        let frames = EncodedFrames(encoder, capacity: capacity, waits: context.policy == .block)
        self.frames = frames
        var onShare: (@Sendable (Double) -> Void)?
        if let slower {
            onShare = { share in
                if let encoder = slower(share) { frames.move(to: encoder) }
            }
        }
        let loop = StreamLoop(plan, frames.feed, sound: sound?.feed, onEvent: context.onEvent, onShare: onShare)
        self.loop = loop
        _ = WorkerThread(name: "pip-stream") { loop.run() }
    }

    deinit { sound?.end(at: .zero) }

    func expect(_ frame: Frame) { frames.expect(frame, beginsPart: false) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        if let sound {
            let last = frame.timestamp.advanced(by: interval)
            end.update { $0 = last }
            sound.reach(from: frame.timestamp, to: last)
        }
        switch frames.submit(frame, beginsPart: false, until: deadline) {
        case .taken: break
        case .dropped: loop.state.update { $0.statistics.drops[.late] += 1 }
        case .failed: loop.state.update { $0.statistics.drops[.disabled] += 1 }
        case .timedOut: return false
        }
        return true
    }

    var statistics: OutputStatistics {
        var statistics = loop.state.read { $0.statistics }
        statistics.encoder = frames.encoderName
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool {
        let limit = clock.realTime(of: deadline)
        return await onThread("pip-stream-end") { [self] in
            sound?.end(at: end.read { $0 } ?? .zero)
            frames.finish(by: limit)
            return loop.state.wait(until: limit) { $0.isDone ? true : nil } ?? false
        }
    }
}
#endif
