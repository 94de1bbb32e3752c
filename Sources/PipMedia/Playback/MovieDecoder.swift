#if Media
internal import CGStreamer
internal import PipFrames

/// A decoder of the first video stream of a movie file.
///
/// Thread: one thread at a time. A ``SoundDecoder`` decodes the sound, so that pictures never wait for sound.
final class MovieDecoder {
    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let outlet: PictureOutlet

    /// Opens a file and starts to decode it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - hasFullRange: True to take the samples as full range, whatever GStreamer states.
    ///   - alpha: The meaning of the pictures' alpha.
    ///   - usesHardware: True to allow hardware decoders.
    ///   - elements: The elements behind the decoder, named as in ``PictureOutlet/elements``.
    ///   - journal: Records the repairs of the file's timestamps.
    /// - Throws: ``MediaError`` when an element is missing, or the pipeline does not start.
    init(
        _ path: String, hasFullRange: Bool = false, alpha: MovieAlpha = .ignored, usesHardware: Bool = true,
        elements: String = PictureOutlet.elements, _ journal: RepairJournal? = nil
    ) throws(MediaError) {
        pipeline = try Pipeline(
            "filesrc name=file ! parsebin name=parse  decodebin name=decode ! \(elements)")
        pipeline.set("location", of: "file", to: path)
        pipeline.set("force-sw-decoders", of: "decode", to: usesHardware ? "false" : "true")
        selection = StreamSelection(pipeline, demuxer: "parse", target: "decode", output: "convert")
        PacketTimes.mend(pipeline, isFile: true, journal)
        outlet = PictureOutlet(pipeline, capacity: 2, drops: false, hasFullRange: hasFullRange, alpha: alpha)
        try pipeline.play()
    }

    deinit { pipeline.stop() }

    /// True when a hardware decoder of video is installed.
    static var hasHardware: Bool {
        let all = unsafe gst_element_factory_list_get_elements(
            PIP_FACTORIES_OF_DECODERS | PIP_FACTORIES_OF_PICTURES, GST_RANK_MARGINAL)
        defer { unsafe gst_plugin_feature_list_free(all) }
        var entry = unsafe all
        while let found = unsafe entry {
            if let data = unsafe found.pointee.data,
                unsafe gst_element_factory_list_is_type(OpaquePointer(data), PIP_FACTORIES_OF_HARDWARE) != 0
            {
                return true
            }
            unsafe entry = unsafe found.pointee.next
        }
        return false
    }

    /// Waits for the next picture, for at most `timeout`.
    func next(within timeout: Duration) -> PictureOutlet.Outcome {
        selection.explained(outlet.next(within: timeout))
    }

    /// A sentence about the loss of the video's alpha, which no installed element decodes; nil when no alpha is lost.
    var alphaNote: String? { selection.alphaNote }

    /// The orientation in the file's tags, by which a player must turn the pictures.
    var orientation: Orientation { outlet.orientation }

    /// The duration of the longest stream; nil when the file does not state it.
    var length: Duration? { pipeline.length }

    /// Continues with the last key frame at or before a time.
    ///
    /// - Parameter time: The time since the file's beginning.
    /// - Returns: False when the file is not seekable, when its decoding has failed, and once another program of a
    ///   transport stream has begun.
    func seek(to time: Duration) -> Bool {
        selection.restart() && pipeline.seekKeyFrame(before: time)
    }

    /// Closes the file.
    ///
    /// Blocks until the pipeline's threads have ended.
    func stop() { pipeline.stop() }
}
#endif
