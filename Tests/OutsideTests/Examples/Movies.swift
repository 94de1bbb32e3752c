import PipCompose
import PipMedia

/// Records files of three minutes, keeps the latest 20 GB of them, and streams the same encoded video to a server.
func drive(_ picture: Compositor, to server: String) throws -> (recording: Output, stream: Output) {
    let encoding = VideoEncoding(.h264, rate: .bits(4_000_000))
    let recording =
        picture
        --> MovieFile(
            "drive-%Y%m%d-%H%M%S.mp4", encoding: encoding, segments: .duration(.seconds(180)),
            keep: .bytes(20_000_000_000))
    let stream = picture --> LiveStream(try StreamAddress(server), encoding: encoding)
    return (recording, stream)
}

/// Serves the composed picture, and a camera's own, at one port.
func serve(_ picture: Compositor, _ camera: CameraSource, _ sound: AudioMixer) throws {
    picture --> RTSPBroadcast(try StreamAddress("rtsp://0.0.0.0:8554/cam"), sound: sound)
    camera --> RTSPBroadcast(try StreamAddress("rtsp://0.0.0.0:8554/camera"), encoding: VideoEncoding(.h265))
}

/// Composes a network camera's picture with a looped clip of a map in a corner.
func journey(_ address: String) -> Compositor {
    let camera = StreamSource(address, latency: .milliseconds(300))
    let clip = MovieSource("map.mp4", loops: true, from: .seconds(5), to: .seconds(8))
    return Compositor(canvas: .hd720) {
        Layer(camera).whenMissing(.slate)
        Layer(clip).placed(.bottomRight, width: 0.25)
    }
}
