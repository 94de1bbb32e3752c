import Foundation
import PipCompose
import PipPatterns

/// A folder of pictures for USB cameras to send, deleted with its last reference.
final class Pictures: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pip-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes pictures of a scene.
    ///
    /// - Returns: The pictures, JPEG.
    func scene(_ count: Int, seed: UInt64 = 0, size: PixelSize = .hd720) async throws -> [Data] {
        try await make(PatternSource(.scene, size: size, seed: seed), count)
    }

    /// Makes a picture of one colour.
    func plain(_ colour: Colour, size: PixelSize = .hd720) async throws -> [Data] {
        let layout = FrameLayout(.i420, size)
        // The colour encoding that readers assume for a file of this size.
        let values = colour.yuv(.bt709).map { UInt8($0.rounded().clamped(to: 0...255)) }
        var bytes: [UInt8] = []
        for (plane, value) in zip(layout.planes, values) {
            bytes += Array(repeating: value, count: plane.dimensions.area)
        }
        let raw = folder.appendingPathComponent("plain.i420")
        try Data(bytes).write(to: raw)
        return try await make(RawSource(raw.path, format: .i420, size: size), 1)
    }

    /// Writes pictures one after the other, in the form of a camera's file.
    ///
    /// - Returns: The file's path.
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
