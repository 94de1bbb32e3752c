import PipCompose
import PipMedia

/// A dash cam: three minutes a file, twenty gigabytes in all, and a stream of the same encoding.
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
