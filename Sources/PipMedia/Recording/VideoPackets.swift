#if Media
internal import PipFrames

/// Makes packets of the H.264 or H.265 that a camera sends, and skips pictures that cannot be decoded.
///
/// Thread: one thread at a time.
struct VideoPackets {
    private var stream: (video: AnnexB, format: PacketFormat, size: PixelSize, rate: FrameRate)?
    /// The latest parameter sets, with their start codes; empty before the first.
    private var parameters: [UInt8] = []
    /// The sequence number of the last picture; nil when the next packet must be a key picture.
    private var last: UInt64?

    /// Makes a packet of a picture.
    ///
    /// - Parameters:
    ///   - bytes: The compressed picture.
    ///   - device: The driver's pixel format.
    ///   - info: The layout of the decoded frame, and the timestamp.
    ///   - rate: The camera's frame rate.
    /// - Returns: The packet. Nil for a picture that cannot be decoded, because an earlier picture or the parameter
    ///   sets are missing.
    mutating func packet(
        _ bytes: [UInt8], in device: FourCC, of info: FrameInfo, rate: FrameRate
    ) -> Packet? {
        guard let video = AnnexB(device) else { return nil }
        if stream?.video != video || stream?.size != info.layout.size || stream?.rate != rate {
            stream = (video, PacketFormat(video, info.layout.size, rate), info.layout.size, rate)
            (parameters, last) = ([], nil)
        }
        let isKey = unsafe bytes.withUnsafeBytes { unsafe video.isKey($0) }
        // Parameter sets come with key pictures, so other pictures need not be searched.
        let own = isKey ? video.parameters(in: bytes) : []
        if !own.isEmpty { parameters = own }
        guard isKey || (last.map { $0 + 1 == info.sequence } ?? false), !parameters.isEmpty, let format = stream?.format
        else {
            last = nil
            return nil
        }
        last = info.sequence
        // A file may begin with a key picture, and its header needs the parameter sets.
        let whole = isKey && own.isEmpty ? parameters + bytes : bytes
        return Packet(whole, format, at: info.timestamp, duration: rate.interval, isKey: isKey)
    }

    /// Drops all pictures before the next key picture, because pictures are missing.
    mutating func interrupt() { last = nil }
}
#endif
