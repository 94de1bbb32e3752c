import PipCompose

/// Shows pixels that an app pushes.
func pushedDepth(_ pixels: [UInt8]) throws -> Compositor {
    let depth = AppSource("depth", layout: FrameLayout(.gray, PixelSize(640, 480)))
    let picture = Compositor(canvas: PixelSize(640, 480)) { Layer(depth --> Gamma(0.5)) }
    try depth.push(copying: pixels.span.bytes, layout: FrameLayout(.gray, PixelSize(640, 480), stride: 672))
    return picture
}

/// Creates a source that asks the app's code for each frame.
func fadingSource() -> CustomSource {
    final class Fade: FrameProvider {
        let format = ProvidedFormat(layout: FrameLayout(.nv12, PixelSize(640, 360)), frameRate: FrameRate(30))
        func start() throws {}
        func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool {
            for plane in format.layout.planes.indices {
                buffer.withMutablePlane(plane, of: format.layout) { bytes, _ in
                    let value = plane == 0 ? UInt8(index % 220 + 16) : 128
                    for offset in 0..<bytes.byteCount {
                        bytes.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
                    }
                }
            }
            return index < 300
        }
        func stop() {}
    }
    let fade = CustomSource("fade") { Fade() }
    return fade
}

/// Attaches a sink that hands each frame to the app's code.
func countingOutput(of picture: CustomSource) -> Output {
    final class FrameCounter: FrameSink {
        let format = PixelFormat.nv12
        private var count = 0
        func open(_ info: FrameInfo, rate: FrameRate) throws {}
        func write(_ frame: Frame) throws { count += 1 }
        func finish() throws { print("\(count) frames") }
    }
    let output = picture --> CustomSink("counter") { FrameCounter() }
    return output
}

/// Reads the composed frames in the app's code, and writes the edges of one camera's picture to files.
func watch(_ picture: Compositor, _ camera: CameraSource) async {
    camera --> Sobel() --> PNGFiles("edges/%05d.png")  // beside the composed picture
    let tap = FrameTap(.rgba)
    picture --> tap
    for await frame in tap.frames {
        frame.withPlane(0) { pixels, layout in print(pixels.byteCount, layout.strideInBytes) }
    }
}
