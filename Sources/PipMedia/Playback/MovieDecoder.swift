#if Media
internal import CGStreamer
internal import PipFrames

/// A movie file that is being decoded: its first video stream, and no other one.
///
/// Belongs to one thread at a time. Its sound is decoded by a ``SoundDecoder``, which nobody's pictures wait for.
final class MovieDecoder {
    private let pipeline: Pipeline
    private let selection: StreamSelection
    private let outlet: PictureOutlet

    /// Begins to decode a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - hasFullRange: Whether its samples take the full range, whatever the engine says.
    ///   - alpha: The meaning of transparency in its pictures.
    ///   - usesHardware: Whether a device may do the work.
    ///   - journal: Told what is mended of the file's times.
    /// - Throws: ``MediaError`` when an element is missing.
    init(
        _ path: String, hasFullRange: Bool = false, alpha: MovieAlpha = .ignored, usesHardware: Bool = true,
        _ journal: RepairJournal? = nil
    ) throws(MediaError) {
        pipeline = try Pipeline(
            "filesrc name=file ! parsebin name=parse  decodebin name=decode ! \(PictureOutlet.elements)")
        pipeline.set("location", of: "file", to: path)
        pipeline.set("force-sw-decoders", of: "decode", to: usesHardware ? "false" : "true")
        selection = StreamSelection(pipeline, demuxer: "parse", target: "decode")
        PacketTimes.mend(pipeline, isFile: true, journal)
        outlet = PictureOutlet(pipeline, capacity: 2, drops: false, hasFullRange: hasFullRange, alpha: alpha)
        try pipeline.play()
    }

    deinit { pipeline.stop() }

    /// True when a device decodes pictures on this machine.
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
    func next(within patience: Duration) -> PictureOutlet.Outcome {
        selection.explained(outlet.next(within: patience))
    }

    /// The sentence about transparency that nothing decodes; nil where all is shown.
    var alphaNote: String? { selection.alphaNote }

    /// How the pictures are to be turned.
    var orientation: Orientation { outlet.orientation }

    /// The file's length, of its pictures or its sound, whichever is longer; nil when it does not say.
    var length: Duration? { pipeline.length }

    /// Goes to the key frame before a time.
    ///
    /// - Parameter time: Counts from the file's beginning.
    /// - Returns: False when the file cannot be searched.
    func seek(to time: Duration) -> Bool {
        selection.restart()
        return pipeline.seekKeyFrame(before: time)
    }

    /// Lets go of the file; blocks while the engine's threads end.
    func stop() { pipeline.stop() }
}
#endif
