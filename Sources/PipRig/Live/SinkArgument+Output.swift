internal import PipCompose
internal import PipText

#if Media
internal import PipMedia
#endif

extension SinkArgument {
    /// Makes the output's sink, and connects a producer to the sink.
    ///
    /// A recording of a camera's own picture takes every frame as the driver delivers it, unless an option or the
    /// container needs drawn frames.
    ///
    /// - Throws: ``UsageError`` for `frames=every` with a producer that is not a camera.
    func connect(
        to producer: any FrameProducer, _ sound: RigSound?, _ telemetry: Telemetry
    ) throws(UsageError) -> Output {
        #if Media
        if case .movie(let movie) = kind, movie.recordsCamera {
            if let camera = producer as? CameraSource { return camera --> movie.cameraFile(sound, telemetry) }
            guard movie.frames != .every else {
                throw UsageError(
                    "\(text): frames=every is for a recording of one camera's own picture: write main:FILE or "
                        + "inset:FILE, or the key of in a configuration")
            }
        }
        #endif
        return Self.connect(producer, to: sink(sound, telemetry))
    }

    private static func connect(_ producer: some FrameProducer, to sink: some Sink) -> Output { producer --> sink }

    private func sink(_ sound: RigSound?, _ telemetry: Telemetry) -> any Sink {
        var sink = destination(sound, telemetry)
        if let size { sink = sink.scaled(to: size) }
        if let frameRate { sink = sink.limited(to: frameRate) }
        if let interval { sink = sink.taken(every: interval.every, when: interval.condition) }
        return sink
    }

    private func destination(_ sound: RigSound?, _ telemetry: Telemetry) -> any Sink {
        switch kind {
        case .movie(let movie): movie.sink(sound, telemetry)
        case .wav(let wav): wav.sink(sound)
        case .stream(let stream): stream.sink(sound)
        case .whip(let whip): whip.sink(sound)
        case .elements(let elements): elements.sink
        case .display(let display): display.sink
        case .y4m(let path, let onFull): Y4MFile(path, onFull: onFull)
        case .raw(let path, let format, let onFull): RawFile(path, format: format, onFull: onFull)
        case .png(let pattern, let onFull): PNGFiles(pattern, onFull: onFull)
        case .jpeg(let pattern, let quality, let onFull): JPEGFiles(pattern, quality: quality, onFull: onFull)
        case .virtualCamera(.path(let path), let format): VirtualCamera(path, format: format)
        case .virtualCamera(.label(let label), let format): VirtualCamera(labelled: label, format: format)
        case .virtualCamera(.free, let format): VirtualCamera(format: format)
        case .null(let format): NullSink(format)
        }
    }
}
