#if Media
internal import PipFrames

/// The receivers of an encoder's packets, which come and go while the encoder runs.
///
/// Thread: any.
protocol PacketAudience: AnyObject, Sendable {
    /// The name of the thread that sends pictures, with which the names of the output's other threads begin.
    var threadName: String { get }

    /// True while at least one receiver wants packets.
    var isConnected: Bool { get }

    /// Decides whether a frame must become a key frame.
    ///
    /// Called for each frame, before the frame is encoded.
    func grantKey(for frame: Frame) -> Bool

    /// Sends a picture packet to all receivers.
    ///
    /// - Returns: True when at least one receiver was sent the packet.
    func push(_ packet: Packet) -> Bool

    /// Sends a sound packet to all receivers.
    func push(sound packet: Packet)

    /// Enforces the time limits of receivers; called once a second.
    func check()

    /// Removes all receivers, and admits no more.
    func close()
}
#endif
