#if Media
import PipCompose
import PipFrames
import Testing

@testable import PipMedia

@Suite("The choice of encoders")
struct EncoderChoiceTests {
    @Test(
        "where all encoders have failed, the error names the codec, or the encoder that was asked for",
        arguments: [
            (VideoEncoding(.h264), "each encoder of H.264 has failed while encoding"),
            (VideoEncoding(.h264, encoder: "x264enc"), "x264enc has failed while encoding"),
        ])
    func allFailed(encoding: VideoEncoding, reason: String) throws {
        let info = FrameInfo(layout: FrameLayout(.i420, PixelSize(64, 48)), colorimetry: .bt709)
        let request = EncodingRequest(encoding, of: info, rate: FrameRate(30))
        let candidates = try EncoderChoice.candidates(encoding)
        let error = #expect(throws: MediaError.self) {
            try EncoderChoice.element(request, among: candidates, without: Set(candidates.map(\.name)))
        }
        #expect(error?.reason == reason)
    }
}
#endif
