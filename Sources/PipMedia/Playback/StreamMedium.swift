#if Media
internal import CGStreamer

/// The medium of a stream: video or sound.
enum StreamMedium: String {
    case video
    case sound = "audio"

    /// The medium's name in messages.
    var name: String { self == .video ? "video" : "sound" }

    /// True for data that is known not to be of this medium; false for containers, which may contain the medium.
    func leavesOut(_ name: String, _ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        let others = ["text/", "subpicture/", "closedcaption/", "meta/"]
        switch self {
        case .video: return (others + ["audio/"]).contains(where: name.hasPrefix)
        case .sound:
            return unsafe (others + ["image/"]).contains(where: name.hasPrefix) || StreamMedium.video.isDecoded(caps)
        }
    }

    /// True when the caps name begins as those of this medium's formats do.
    func takes(_ name: String) -> Bool {
        self == .sound ? name.hasPrefix("audio/") : name.hasPrefix("video/") || name.hasPrefix("image/")
    }

    /// True when an installed decoder accepts data with these caps.
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
