#if Media
internal import CGStreamer
internal import Glibc
internal import Synchronization

/// The installed GStreamer library: its version, its elements, and the Debian packages of missing elements.
package enum GStreamer {
    private static let startFailure: String? = {
        // GStreamer's handler for crashes would hide them from crash reporters.
        gst_segtrap_set_enabled(0)
        // Make libcamera, SVT-AV1 and libva log only errors, unless the user's environment says otherwise.
        unsafe setenv("LIBCAMERA_LOG_LEVELS", "*:ERROR", 0)
        unsafe setenv("SVT_LOG", "1", 0)
        unsafe setenv("LIBVA_MESSAGING_LEVEL", "1", 0)
        var error: UnsafeMutablePointer<GError>?
        guard unsafe gst_init_check(nil, nil, &error) == 0 else { return nil }
        defer { unsafe g_clear_error(&error) }
        return unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "gst_init_check failed"
    }()

    /// Starts GStreamer.
    ///
    /// Later calls repeat the outcome of the first call. Thread: any.
    ///
    /// - Throws: ``MediaError`` when GStreamer does not start.
    static func start() throws(MediaError) {
        if let startFailure { throw MediaError(kind: .failed, reason: "GStreamer does not start: \(startFailure)") }
    }

    /// GStreamer's name and version, such as `GStreamer 1.22.0`.
    static var version: String {
        guard let text = unsafe gst_version_string() else { return "GStreamer" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }

    /// True when GStreamer has an element with the name.
    static func has(_ element: String) -> Bool { licence(of: element) != nil }

    /// The licence that an element's plug-in states, such as `LGPL`; empty when it states none.
    ///
    /// Nil when the element is not installed, and when GStreamer does not start.
    static func licence(of element: String) -> String? {
        guard startFailure == nil, let factory = unsafe gst_element_factory_find(element) else { return nil }
        defer { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
        guard let plugin = unsafe gst_plugin_feature_get_plugin(factory) else { return "" }
        defer { unsafe gst_object_unref(UnsafeMutableRawPointer(plugin)) }
        return unsafe gst_plugin_get_license(plugin).map { unsafe String(cString: $0) } ?? ""
    }

    /// The version of an installed plug-in, such as `1.22.0`, from GStreamer's registry.
    ///
    /// Reading the version does not load the plug-in. Nil when the plug-in is not installed, and when GStreamer does
    /// not start. Thread: any.
    package static func version(ofPlugin name: String) -> String? {
        guard startFailure == nil, let plugin = unsafe gst_registry_find_plugin(gst_registry_get(), name) else {
            return nil
        }
        defer { unsafe gst_object_unref(UnsafeMutableRawPointer(plugin)) }
        return unsafe gst_plugin_get_version(plugin).map { unsafe String(cString: $0) }
    }

    /// Starts GStreamer, and checks that elements are installed.
    ///
    /// - Parameter elements: The names of the elements.
    /// - Throws: ``MediaError`` when GStreamer does not start; else the error names the missing elements, and the known
    ///   packages that contain them.
    static func require(_ elements: [String]) throws(MediaError) {
        try start()
        let missing = elements.filter { !has($0) }
        if !missing.isEmpty { throw self.missing(missing) }
    }

    /// Makes the error for missing elements, which names the known packages that contain the elements.
    static func missing(_ elements: [String]) -> MediaError {
        let names = elements.joined(separator: ", ")
        let packages = Set(elements.compactMap(package(of:))).sorted()
        let remedy = packages.isEmpty ? "" : "; to install: apt-get install \(packages.joined(separator: " "))"
        let plugin = elements.count == 1 ? "the GStreamer element \(names) is" : "the GStreamer elements \(names) are"
        return MediaError(kind: .missing, reason: "\(plugin) not installed\(remedy)")
    }

    /// The Debian package of an element; nil for an element that is not in the table.
    static func package(of element: String) -> String? {
        packages.first { $0.elements.contains(element) }?.name
    }

    /// Debian packages, each with some of the elements in it.
    private static let packages: [(name: String, elements: [String])] = [
        (
            "gstreamer1.0-plugins-base",
            [
                "opusenc", "videoconvert", "videoscale", "audioconvert", "audioresample", "decodebin",
                "uridecodebin",
                "uridecodebin3", "videorate", "audiorate", "appsrc", "appsink", "urisourcebin", "parsebin",
                "decodebin3",
            ]
        ),
        (
            "gstreamer1.0-plugins-good",
            [
                "mp4mux", "qtmux", "matroskamux", "webmmux", "flvmux", "vp8enc", "vp9enc", "jpegenc", "pulsesrc",
                "rtph264pay", "rtpvp8pay", "rtph265pay", "rtpmp4gpay", "rtpopuspay", "rtpbin", "udpsink", "wavenc",
                "rtspsrc",
                "souphttpsrc", "qtdemux", "matroskademux", "jpegdec", "deinterlace", "v4l2h264enc", "v4l2h265enc",
                "multiudpsink",
            ]
        ),
        (
            "gstreamer1.0-plugins-bad",
            [
                "h264parse", "h265parse", "av1parse", "vp9parse", "jpegparse", "mpegtsmux", "openh264enc",
                "x265enc",
                "av1enc", "svtav1enc", "rtmp2sink", "srtsink", "srtsrc", "hlssink", "hlssink2", "webrtcbin",
                "vah264enc", "vah265enc", "vaav1enc", "nvh264enc", "nvh265enc", "nvav1enc", "qsvh264enc",
                "qsvh265enc", "vp8alphadecodebin", "vp9alphadecodebin", "voaacenc", "aacparse", "opusparse",
                "dtlsenc", "dtlsdec", "srtpenc", "srtpdec",
            ]
        ),
        ("gstreamer1.0-plugins-ugly", ["x264enc"]),
        ("gstreamer1.0-libav", ["avenc_aac", "avdec_aac", "avdec_h264", "avdec_h265"]),
        ("gstreamer1.0-libcamera", ["libcamerasrc"]),
        ("gstreamer1.0-pipewire", ["pipewiresrc"]),
        ("gstreamer1.0-alsa", ["alsasrc"]),
        ("gstreamer1.0-rtsp", ["rtspclientsink"]),
        ("gstreamer1.0-nice", ["nicesrc", "nicesink"]),
        ("libgstreamer1.0-0", ["fdsink", "filesink", "filesrc", "fakesink", "queue", "identity", "capsfilter"]),
    ]
}
#endif
