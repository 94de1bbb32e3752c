internal import PipCodecs
internal import PipFrames

extension JPEGDecoder: FrameDecoder {
    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool {
        unsafe decodeFrame(bytes, into: frame, layout)
    }
}
