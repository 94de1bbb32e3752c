import Foundation
import PipCompose

/// Sets an effect's exposure from the average luma of the camera's picture.
func exposureByMeter() async throws {
    let camera = CameraSource("/dev/video0")
    let exposure = camera --> Exposure(0)
    let meter = AverageMeter()
    camera --> meter
    exposure --> Y4MFile("out.y4m")

    let session = try await Session(exposure)
    async let run: Void = session.run(for: .seconds(60))
    for await average in meter.values {
        // Aim at a luma of 0.4, about that of a gray card.
        try exposure.update { $0.exposure = Float(log2(0.4 / max(average.luma, 0.05))) }
    }
    try await run
}

/// Stretches the levels between the darkest and the lightest hundredth of the pixels.
func levelsByHistogram(of camera: CameraSource) async throws {
    let levels = camera --> Levels(Levels.Range())
    let histogram = HistogramMeter()
    camera --> histogram
    for await values in histogram.values {
        try levels.update {
            $0.all.low = Float(values.percentile(0.01)) / 255
            $0.all.high = Float(max(values.percentile(0.99), values.percentile(0.01) + 8)) / 255
        }
    }
}

/// Records while something moves.
func recordsMotion(of camera: CameraSource, into output: Output) async throws {
    let meter = MotionMeter()
    camera --> meter
    for await event in meter.events {
        switch event {
        case .began: try output.resume()
        case .ended: try output.pause()
        case .moved(let motion): print("\(Int(motion.area * 100)) % at \(motion.x), \(motion.y)")
        case .sceneChanged: print("another scene")
        }
    }
}

/// Detects corners and lines, and prints the number of corners in each frame.
func features(of camera: CameraSource) async throws {
    let (corners, lines) = (CornerMeter(), LineMeter())
    camera --> Corners(mark: 0) --> corners
    camera --> Canny() --> lines
    for await frame in corners.values { print(frame.corners.count, "corners") }
}
