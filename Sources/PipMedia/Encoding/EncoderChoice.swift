#if Media
internal import PipCompose
internal import PipFrames

/// Chooses the encoder of an output: the first candidate that passes a trial.
enum EncoderChoice {
    /// The largest number of frames that a prompt encoder holds.
    private static let mostHeldFrames = 4

    /// The encoders that can make an encoding, in order of preference.
    ///
    /// - Throws: ``MediaError`` when the requested encoder is unknown, or makes another codec.
    static func candidates(_ encoding: VideoEncoding) throws(MediaError) -> [EncoderElement] {
        guard let name = encoding.encoder else {
            return EncoderElement.of(encoding.codec).filter { !encoding.isPrompt || $0.heldFrames <= mostHeldFrames }
        }
        let names = EncoderElement.of(encoding.codec).map(\.name).joined(separator: ", ")
        guard let element = EncoderElement.named(name) else {
            throw MediaError(
                kind: .failed, reason: "there is no encoder \(name); for \(encoding.codec.name) there are \(names)")
        }
        guard element.codec == encoding.codec else {
            throw MediaError(
                kind: .failed,
                reason: "\(name) makes \(element.codec.name), not \(encoding.codec.name); use \(names)")
        }
        return [element]
    }

    /// Returns the frame format to request from the renderer before the first frame: the best format of the first
    /// installed encoder.
    ///
    /// - Throws: ``MediaError`` when GStreamer does not start, when no encoder is installed, or when the requested
    ///   encoder is unknown or makes another codec.
    static func format(_ encoding: VideoEncoding) throws(MediaError) -> PixelFormat {
        let candidates = try candidates(encoding)
        try GStreamer.start()
        guard let first = candidates.first(where: { GStreamer.has($0.name) }) else {
            throw missing(candidates, encoding)
        }
        return first.formats[0]
    }

    /// The most frames that an encoder of an encoding holds while it works on them, at least 6.
    ///
    /// The renderer provides memory for as many frames: with less, an encoder that holds frames back would wait for
    /// further frames forever.
    static func heldFrames(_ encoding: VideoEncoding) -> Int {
        let candidates = (try? candidates(encoding)) ?? []
        return candidates.reduce(6) { max($0, $1.heldFrames) }
    }

    /// Finds the first encoder that works, by trying one after another.
    ///
    /// - Parameters:
    ///   - request: The encoding, and the frames to encode.
    ///   - candidates: The encoders, in the order of their trials.
    ///   - failed: The names of encoders that have failed while encoding.
    /// - Returns: The encoder.
    /// - Throws: ``MediaError`` when no encoder works.
    static func element(
        _ request: EncodingRequest, among candidates: [EncoderElement], without failed: Set<String>
    ) throws(MediaError) -> EncoderElement {
        let candidates = candidates.filter { !failed.contains($0.name) }
        let (found, refused) = trial(request, among: candidates)
        guard let found else {
            if refused.isEmpty { throw missing(candidates, request.encoding) }
            let reasons = refused.map { "\($0.name): \($0.reason)" }.joined(separator: "; ")
            throw MediaError(
                kind: .failed,
                reason: "no encoder takes \(request.info.layout.size) for \(request.encoding.codec.name): \(reasons)")
        }
        return found
    }

    /// Explains the choice of an output's encoder.
    ///
    /// - Parameters:
    ///   - encoding: The requested encoding. Nil when the output's options are invalid.
    ///   - info: The frames' layout and colours.
    ///   - rate: The frames a second.
    ///   - output: The output's name.
    /// - Returns: The chosen encoder, if one works, and the encoders that failed their trials before it.
    static func explained(
        _ encoding: VideoEncoding?, _ info: FrameInfo, _ rate: FrameRate, output: String
    ) -> OutputEncoder {
        guard let encoding, let candidates = try? candidates(encoding) else {
            return OutputEncoder(
                output: output, frames: info.layout, rate: rate, name: nil, timePerFrame: nil, refused: [])
        }
        let request = EncodingRequest(encoding, of: info, rate: rate)
        let (found, refused) = trial(request, among: candidates)
        return OutputEncoder(
            output: output, frames: info.layout, rate: rate, name: found?.name,
            timePerFrame: found.flatMap { EncoderTrial.timePerFrame($0, request) }, refused: refused)
    }

    /// Tries the installed encoders until one works.
    private static func trial(
        _ request: EncodingRequest, among candidates: [EncoderElement]
    ) -> (found: EncoderElement?, refused: [OutputEncoder.Refusal]) {
        var refused: [OutputEncoder.Refusal] = []
        for element in candidates where GStreamer.has(element.name) {
            switch EncoderTrial.result(element, request) {
            case .works: return (element, refused)
            case .fails(let reason): refused.append(OutputEncoder.Refusal(name: element.name, reason: reason))
            }
        }
        return (nil, refused)
    }

    private static func missing(_ candidates: [EncoderElement], _ encoding: VideoEncoding) -> MediaError {
        // Name a software encoder if there is one, because such an encoder runs on every machine.
        guard let software = candidates.first(where: { !$0.isHardware }) ?? candidates.first else {
            let failed = encoding.encoder ?? "each encoder of \(encoding.codec.name)"
            return MediaError(kind: .missing, reason: "\(failed) has failed while encoding")
        }
        return GStreamer.missing([software.name])
    }
}
#endif
