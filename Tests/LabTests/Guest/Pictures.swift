import Foundation
import PipCompose
import PipPatterns

/// A folder for the pictures that USB cameras send.
///
/// The folder is deleted with the last reference to this object.
final class Pictures: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pip-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Draws frames of the moving test pattern.
    ///
    /// - Returns: The frames as JPEG pictures.
    func scene(_ count: Int, seed: UInt64 = 0, size: PixelSize = .hd720) async throws -> [Data] {
        try await make(PatternSource(.scene, size: size, seed: seed), count)
    }

    /// Makes one JPEG picture of a single colour.
    func plain(_ colour: Colour, size: PixelSize = .hd720) async throws -> [Data] {
        let layout = FrameLayout(.i420, size)
        // Readers assume BT.709 for a picture of the default size.
        let values = colour.yuv(.bt709).map { UInt8($0.rounded().clamped(to: 0...255)) }
        var bytes: [UInt8] = []
        for (plane, value) in zip(layout.planes, values) {
            bytes += Array(repeating: value, count: plane.dimensions.area)
        }
        let raw = folder.appendingPathComponent("plain.i420")
        try Data(bytes).write(to: raw)
        return try await make(RawSource(raw.path, format: .i420, size: size), 1)
    }

    /// Writes JPEG pictures one after another to a file, from which a USB camera sends them.
    ///
    /// - Returns: The path of the file.
    func file(_ name: String, _ pictures: [Data]) throws -> String {
        let file = folder.appendingPathComponent(name)
        try pictures.reduce(Data(), +).write(to: file)
        return file.path
    }

    private func make(_ source: some FrameProducer, _ count: Int) async throws -> [Data] {
        let names = folder.appendingPathComponent(UUID().uuidString)
        source --> JPEGFiles("\(names.path)/%05d.jpg")
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(source, options: options).run(frames: count)
        return try FileManager.default.contentsOfDirectory(atPath: names.path).sorted().map {
            try Data(contentsOf: names.appendingPathComponent($0))
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
