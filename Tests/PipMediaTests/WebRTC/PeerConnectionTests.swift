#if Media
import PipConcurrency
import PipFrames
import Testing

@testable import PipMedia

/// Tests connections to a receiver in the same process.
@Suite("WebRTC connections", .timeLimit(.minutes(2)))
struct PeerConnectionTests {
    @Test("a connection tells its owner that the peer is connected, without being asked")
    func events() throws {
        let events = Monitor<[PeerConnection.Event]>([])
        let sender = try PeerConnection(VideoTrack(.vp8), servers: []) { event in events.update { $0.append(event) } }
        let receiver = try Pipeline("webrtcbin name=peer bundle-policy=max-bundle identity")
        defer { receiver.stop() }
        try receiver.play()
        let element = WebRTCElement(of: receiver)
        let hasAllCandidates = Monitor(false)
        element.onChange(of: .gathering) { hasAllCandidates.update { $0 = element.hasAllCandidates } }
        try element.accept(sender.offer().text, as: .offer)
        try element.describe(as: .answer)
        let limit = MonotonicClock().now.advanced(by: .seconds(60))
        _ = hasAllCandidates.wait(until: limit) { $0 ? true : nil }
        try sender.accept(SessionDescription(try #require(element.localDescription)))
        let event = events.wait(until: limit) { $0.first }
        #expect(event == .connected)
        #expect(sender.isConnected)
    }

    @Test("the first frame after a peer is connected becomes a key frame, however recent the last one is")
    func firstFrame() {
        let group = PeerGroup(limit: 2)
        let layout = FrameLayout(.i420, PixelSize(16, 16))
        func isKey(at milliseconds: Int) -> Bool {
            let time = Timestamp.zero.advanced(by: .milliseconds(milliseconds))
            let info = FrameInfo(layout: layout, colorimetry: .bt709, timestamp: time)
            return group.grantKey(for: Frame(info: info, buffer: FrameBuffer(layout)))
        }
        group.handle(.connected, of: "first")
        #expect(isKey(at: 0) && !isKey(at: 33))
        group.handle(.connected, of: "second")
        #expect(isKey(at: 66))
        // A peer that has lost packets waits for its key frame.
        group.handle(.needsKey, of: "first")
        #expect(!isKey(at: 100) && isKey(at: 400))
    }
}
#endif
