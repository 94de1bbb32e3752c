#if Media
internal import CGStreamer
internal import PipFrames

/// A decoder of a movie file's first video stream.
///
/// Thread: one thread at a time. A ``SoundDecoder`` decodes the sound, so that pictures never wait for it.
final class MovieDecoder {
    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let outlet: PictureOutlet

    /// Opens a file and starts to decode it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - hasFullRange: True when samples have the full range, whatever the engine states.
    ///   - alpha: The meaning of transparency in the pictures.
    ///   - usesHardware: True when a device may decode.
    ///   - journal: Gets the repairs of the file's times.
    /// - Throws: ``MediaError`` when an element is missing.
    init(
        _ path: String, hasFullRange: Bool = false, alpha: MovieAlpha = .ignored, usesHardware: Bool = true,
        _ journal: RepairJournal? = nil
    ) throws(MediaError) {
        pipeline = try Pipeline(
            "filesrc name=file ! parsebin name=parse  decodebin name=decode ! \(PictureOutlet.elements)")
        pipeline.set("location", of: "file", to: path)
        pipeline.set("force-sw-decoders", of: "decode", to: usesHardware ? "false" : "true")
        selection = StreamSelection(pipeline, demuxer: "parse", target: "decode", output: "convert")
        PacketTimes.mend(pipeline, isFile: true, journal)
        outlet = PictureOutlet(pipeline, capacity: 2, drops: false, hasFullRange: hasFullRange, alpha: alpha)
        try pipeline.play()
    }

    deinit { pipeline.stop() }

    /// True when this machine has a device that decodes pictures.
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

    /// Waits for the next picture.
    func next(within timeout: Duration) -> PictureOutlet.Outcome {
        selection.explained(outlet.next(within: timeout))
    }

    /// The sentence about transparency that nothing decodes; nil where all transparency is decoded.
    var alphaNote: String? { selection.alphaNote }

    /// The orientation by which a player must turn the pictures.
    var orientation: Orientation { outlet.orientation }

    /// The length of the pictures or the sound, whichever is longer; nil when the file does not tell.
    var length: Duration? { pipeline.length }

    /// Moves to the key frame before a time.
    ///
    /// - Parameter time: The time since the file's beginning.
    /// - Returns: False when the file cannot be searched.
    func seek(to time: Duration) -> Bool {
        selection.restart() && pipeline.seekKeyFrame(before: time)
    }

    /// Closes the file; blocks until the engine's threads have ended.
    func stop() { pipeline.stop() }
}
#endif
