#if Media
internal import CGStreamer

/// What is decoded of a file or a transmission.
enum StreamMedium: String {
    case video
    case sound = "audio"

    /// For people.
    var name: String { self == .video ? "video" : "sound" }

    /// True for the encoded data of the other medium, or of none: containers are looked into.
    func leavesOut(_ name: String, _ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        let others = ["text/", "subpicture/", "closedcaption/", "meta/"]
        switch self {
        case .video: return (others + ["audio/"]).contains(where: name.hasPrefix)
        case .sound:
            return unsafe (others + ["image/"]).contains(where: name.hasPrefix) || StreamMedium.video.isDecoded(caps)
        }
    }

    /// True for the name of data of this medium.
    func takes(_ name: String) -> Bool {
        self == .sound ? name.hasPrefix("audio/") : name.hasPrefix("video/") || name.hasPrefix("image/")
    }

    /// True when one of the decoders that are installed takes a stream.
    func isDecoded(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        let kind = self == .video ? PIP_FACTORIES_OF_PICTURES : PIP_FACTORIES_OF_SOUND
        let all = unsafe gst_element_factory_list_get_elements(PIP_FACTORIES_OF_DECODERS | kind, GST_RANK_MARGINAL)
        defer { unsafe gst_plugin_feature_list_free(all) }
        let fitting = unsafe gst_element_factory_list_filter(all, caps, GST_PAD_SINK, 0)
        defer { unsafe gst_plugin_feature_list_free(fitting) }
        return unsafe fitting != nil
    }
}
#endif
