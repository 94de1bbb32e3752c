#if Media
internal import PipFrames

/// Makes packets of H.264 or H.265 as a camera sends it, of those pictures that can be decoded.
///
/// Belongs to one thread.
struct VideoPackets {
    private var stream: (video: AnnexB, format: PacketFormat, size: PixelSize, rate: FrameRate)?
    /// The parameters that came last, with the start codes.
    private var parameters: [UInt8] = []
    /// The number of the last picture; nil where the next one has to be a key picture.
    private var last: UInt64?

    /// Makes a packet of a picture.
    ///
    /// - Parameters:
    ///   - bytes: The picture.
    ///   - device: The driver's format.
    ///   - info: The layout of its decoded frame, and the timestamp.
    ///   - rate: The rate that the driver promises.
    /// - Returns: Nil for a picture that refers to one that is missing.
    mutating func packet(
        _ bytes: [UInt8], _ device: FourCC, _ info: FrameInfo, _ rate: FrameRate
    ) -> Packet? {
        guard let video = AnnexB(device) else { return nil }
        if stream?.video != video || stream?.size != info.layout.size || stream?.rate != rate {
            stream = (video, PacketFormat(video, info.layout.size, rate), info.layout.size, rate)
            (parameters, last) = ([], nil)
        }
        let isKey = unsafe bytes.withUnsafeBytes { unsafe video.isKey($0) }
        // Those of a sequence come with a key picture: all others are not searched for them.
        let own = isKey ? video.parameters(in: bytes) : []
        if !own.isEmpty { parameters = own }
        guard isKey || (last.map { $0 + 1 == info.sequence } ?? false), !parameters.isEmpty, let format = stream?.format
        else {
            last = nil
            return nil
        }
        last = info.sequence
        // Each key picture may begin a file, whose head needs them.
        let whole = isKey && own.isEmpty ? parameters + bytes : bytes
        return Packet(whole, format, at: info.timestamp, duration: rate.interval, isKey: isKey)
    }

    /// Notes that pictures are missing.
    mutating func interrupt() { last = nil }
}
#endif
