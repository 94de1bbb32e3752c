#if Media
internal import CGStreamer
internal import PipFrames

/// The caps that the packets of a stream share, such as the codec.
@safe final class PacketFormat: @unchecked Sendable {
    let caps: UnsafeMutablePointer<GstCaps>

    init(_ caps: UnsafeMutablePointer<GstCaps>) { unsafe self.caps = unsafe gst_caps_ref(caps) }

    deinit { unsafe gst_caps_unref(caps) }

    /// Returns the format for `caps`: `last` itself if equal, so that packets share one object.
    static func of(_ caps: UnsafeMutablePointer<GstCaps>, after last: PacketFormat?) -> PacketFormat {
        if let last, unsafe last.caps == caps || gst_caps_is_equal(last.caps, caps) != 0 { return last }
        return unsafe PacketFormat(caps)
    }

    /// Creates the format of JPEG pictures of a size and rate.
    convenience init(jpeg size: PixelSize, _ rate: FrameRate) {
        self.init(
            parsing: "image/jpeg,parsed=true,width=\(size.width),height=\(size.height),"
                + "framerate=\(rate.frames)/\(rate.seconds)")
    }

    /// Creates the format of H.264 or H.265 with start codes, one picture in each packet.
    convenience init(_ video: AnnexB, _ size: PixelSize, _ rate: FrameRate) {
        self.init(
            parsing: "video/x-\(video.name),stream-format=byte-stream,alignment=au,width=\(size.width),"
                + "height=\(size.height),framerate=\(rate.frames)/\(rate.seconds)")
    }

    /// GStreamer's media type, such as `video/x-h264`; empty for caps without a structure.
    var name: String {
        guard let structure = unsafe gst_caps_get_structure(caps, 0),
            let name = unsafe gst_structure_get_name(structure)
        else { return "" }
        return unsafe String(cString: name)
    }

    /// The video codec; nil for sound, and for unknown formats.
    var videoCodec: VideoCodec? {
        switch name {
        case "video/x-h264": .h264
        case "video/x-h265": .h265
        case "video/x-av1": .av1
        case "video/x-vp8": .vp8
        case "video/x-vp9": .vp9
        case "image/jpeg": .mjpeg
        default: nil
        }
    }

    /// True for texts.
    var isText: Bool { name == "text/x-raw" }

    /// The format with the fields that GStreamer's MP4 muxer needs, but its MP4 demuxer omits.
    var completedForMuxer: PacketFormat {
        // Without a chroma siting, the MP4 muxer of GStreamer 1.22 aborts the process.
        guard videoCodec == .vp9, let structure = unsafe gst_caps_get_structure(caps, 0),
            unsafe gst_structure_has_field(structure, "chroma-site") == 0,
            let text = unsafe gst_caps_to_string(caps)
        else { return self }
        defer { unsafe g_free(text) }
        return PacketFormat(parsing: unsafe String(cString: text) + ",chroma-site=(string)mpeg2")
    }

    /// The frame rate; nil when it is variable or unknown.
    var rate: FrameRate? {
        guard let structure = unsafe gst_caps_get_structure(caps, 0) else { return nil }
        var (frames, seconds): (gint, gint) = (0, 0)
        guard unsafe gst_structure_get_fraction(structure, "framerate", &frames, &seconds) != 0, frames > 0, seconds > 0
        else { return nil }
        return FrameRate(Int(frames), per: Int(seconds))
    }

    /// The names of the caps fields in which this format and another differ; `codec` when no field differs.
    func differences(from other: PacketFormat) -> [String] {
        guard let own = unsafe gst_caps_get_structure(caps, 0), let its = unsafe gst_caps_get_structure(other.caps, 0)
        else { return [] }
        var names: [String] = []
        func compare(_ one: UnsafeMutablePointer<GstStructure>, _ two: UnsafeMutablePointer<GstStructure>) {
            for index in 0..<(unsafe gst_structure_n_fields(one)) {
                guard let name = unsafe gst_structure_nth_field_name(one, guint(index)),
                    let text = unsafe Optional(String(cString: name)), !names.contains(text)
                else { continue }
                let values = unsafe (gst_structure_get_value(one, name), gst_structure_get_value(two, name))
                guard let first = unsafe values.0, let second = unsafe values.1,
                    unsafe gst_value_compare(first, second) == GST_VALUE_EQUAL
                else {
                    names.append(text)
                    continue
                }
            }
        }
        unsafe compare(own, its)
        unsafe compare(its, own)
        return names.isEmpty ? ["codec"] : names
    }

    /// True when a stream of this format can continue with packets of the other format.
    func isEqual(to other: PacketFormat) -> Bool {
        self === other ? true : unsafe gst_caps_is_equal(caps, other.caps) != 0
    }
}

/// An encoded picture, or some milliseconds of encoded sound.
///
/// All receivers of a packet share its bytes.
@safe final class Packet: @unchecked Sendable {
    let format: PacketFormat
    /// The presentation time.
    let time: Timestamp
    /// The time from decoding to presentation; zero in streams whose pictures refer only to earlier pictures.
    let decodeLead: Duration
    let duration: Duration
    /// True when a decoder can start with this packet: a key frame, or sound.
    let isKey: Bool
    let byteCount: Int
    private let buffer: UnsafeMutablePointer<GstBuffer>

    /// Creates a packet from a GStreamer buffer.
    ///
    /// - Parameters:
    ///   - buffer: The bytes. The packet retains the buffer.
    ///   - format: The stream's format.
    ///   - time: The presentation time.
    ///   - decodeLead: The time from decoding to presentation.
    ///   - duration: The time until the next packet.
    init(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ format: PacketFormat, at time: Timestamp,
        decodeLead: Duration = .zero, duration: Duration
    ) {
        unsafe self.buffer = unsafe gst_buffer_ref(buffer)
        self.format = format
        self.time = time
        self.decodeLead = decodeLead
        self.duration = duration
        let flags = unsafe gst_buffer_get_flags(buffer)
        isKey = flags.rawValue & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
        byteCount = Int(unsafe gst_buffer_get_size(buffer))
    }

    /// Creates a packet from bytes; nil when memory is exhausted.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, which are copied.
    ///   - format: The stream's format.
    ///   - time: The presentation time.
    ///   - duration: The time until the next packet.
    ///   - isKey: True when a decoder can start with this packet.
    convenience init?(
        _ bytes: [UInt8], _ format: PacketFormat, at time: Timestamp, duration: Duration, isKey: Bool = true
    ) {
        guard let buffer = unsafe gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return nil }
        defer { unsafe gst_buffer_unref(buffer) }
        let filled = unsafe bytes.withUnsafeBytes { unsafe gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
        guard Int(filled) == bytes.count else { return nil }
        if !isKey { unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DELTA_UNIT) }
        unsafe self.init(buffer, format, at: time, duration: duration)
    }

    deinit { unsafe gst_buffer_unref(buffer) }

    /// Returns a packet with another presentation time, which shares the bytes of this packet.
    func moved(to time: Timestamp) -> Packet {
        unsafe Packet(buffer, format, at: time, decodeLead: decodeLead, duration: duration)
    }

    /// The same packet with its own copy of the bytes.
    ///
    /// The buffer of an encoder may belong to a pool, which lacks a buffer for as long as a packet keeps it.
    var detached: Packet {
        guard let copy = unsafe gst_buffer_copy_deep(buffer) else { return self }
        defer { unsafe gst_buffer_unref(copy) }
        return unsafe Packet(copy, format, at: time, decodeLead: decodeLead, duration: duration)
    }

    /// Makes a buffer with the packet's bytes, and timestamps counted from `start`.
    ///
    /// The buffer shares the packet's bytes.
    ///
    /// - Parameter start: The time that becomes timestamp 0.
    /// - Returns: The buffer, which the caller must release. Nil when memory is exhausted.
    func copy(from start: Timestamp) -> UnsafeMutablePointer<GstBuffer>? {
        guard let copy = unsafe gst_buffer_copy(buffer) else { return nil }
        let shown = max(0, start.duration(to: time).nanoseconds)
        unsafe copy.pointee.pts = GstClockTime(shown)
        unsafe copy.pointee.dts = GstClockTime(max(0, shown - decodeLead.nanoseconds))
        unsafe copy.pointee.duration = GstClockTime(max(0, duration.nanoseconds))
        return unsafe copy
    }

    /// Makes a buffer with the packet's bytes and more after them, which change nothing: zeros, which decoders of sound
    /// skip, or spaces after a text.
    ///
    /// - Parameters:
    ///   - start: The time that becomes timestamp 0.
    ///   - padding: The number of bytes to add.
    /// - Returns: The buffer, which the caller must release. Nil when memory is exhausted.
    func copy(from start: Timestamp, padding: Int) -> UnsafeMutablePointer<GstBuffer>? {
        guard let copy = unsafe copy(from: start) else { return nil }
        guard padding > 0 else { return unsafe copy }
        unsafe gst_buffer_append_memory(copy, gst_allocator_alloc(nil, gsize(padding), nil))
        unsafe gst_buffer_memset(copy, gsize(byteCount), format.isText ? UInt8(ascii: " ") : 0, gsize(padding))
        return unsafe copy
    }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        var map = unsafe GstMapInfo()
        guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else {
            return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        defer { unsafe gst_buffer_unmap(buffer, &map) }
        return unsafe body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    }
}
#endif
