internal import PipFrames
internal import PipSources
internal import Synchronization

/// A picture of a gauge.
final class GaugePicture: ValuePicture {
    private struct Drawing: ~Copyable {
        var face: any GaugeFace
        let canvas: GaugeCanvas
    }

    private let gauge: Gauge
    private let label: String
    private let drawing: Mutex<Drawing>
    private let shown = Mutex<Frame?>(nil)

    /// Draws the ground.
    ///
    /// - Throws: ``SourceError`` when a library or the font is missing, or a number of the gauge is out of range.
    init(_ gauge: Gauge, label: String, warn: @escaping @Sendable (String) -> Void) throws(SourceError) {
        (self.gauge, self.label) = (gauge, label)
        if let mistake = gauge.mistake { throw SourceError(label, "be drawn", .invalidOptions, mistake) }
        let canvas = try GaugeCanvas(size: gauge.size, label: label, warn: warn)
        let face: any GaugeFace =
            switch gauge.face {
            case .dial(let value, let range, let unit): DialFace(value, range, unit: unit, color: gauge.color)
            case .meter(let right, let up, let reach):
                MeterFace(right: right, up: up, reach: reach, color: gauge.color)
            case .way(let latitude, let longitude):
                WayFace(latitude: latitude, longitude: longitude, color: gauge.color)
            }
        try face.drawGround(on: canvas)
        drawing = Mutex(Drawing(face: face, canvas: canvas))
    }

    // MARK: ValuePicture

    func draw(_ readings: Telemetry.Readings, at now: Timestamp) throws(SourceError) -> Timestamp? {
        let next = try drawing.withLock { drawing throws(SourceError) -> Frame? in
            let (face, canvas) = (drawing.face, drawing.canvas)
            var changed = face
            guard changed.take(readings, at: now) || shown.withLock({ $0 == nil }) else { return nil }
            let frame = try canvas.picture { () throws(SourceError) in try changed.draw(on: canvas) }
            drawing.face = changed
            return frame
        }
        if let next { shown.withLock { $0 = next } }
        return readings.expiry(of: gauge.names, after: now)
    }

    var description: SourceDescription {
        SourceDescription(
            name: label, layout: FrameLayout(.rgba, PixelSize(gauge.size, gauge.size)), colorimetry: .srgb,
            rate: FrameRate(30), length: .endless, isStill: true)
    }

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        LiveFrame(shown.withLock { $0 })
    }
}
