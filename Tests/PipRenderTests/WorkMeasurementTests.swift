import Foundation
import PipFrames
import PipGL
import PipPlan
import PipTestSupport
import SystemPackage
import Testing

@testable import PipRender

@Suite("Measured costs of a machine")
struct WorkMeasurementTests {
    /// Measures the costs, with up to 50 attempts because the drawing of other tests may spoil a measurement.
    private func weights(by gpu: RenderContext, _ folder: FilePath) async -> WorkWeights? {
        for _ in 0..<50 {
            if let found = await gpu.workWeights(folder: folder) { return found }
        }
        return nil
    }

    @Test("costs are measured once, and saved")
    func kept() async throws {
        let gpu = try await SharedContext.get()
        let temporary = try TemporaryFolder()
        let folder = FilePath(temporary.path("speed"))
        #expect(await gpu.workWeights(folder: folder, measures: false) == nil)
        let measured = try #require(await weights(by: gpu, folder))
        #expect(measured.pixel > 0 && measured.movedByte > 0 && measured.copiedByte > 0)
        let names = Folder.entries(of: folder.string)
        #expect(names.count == 1)
        // A second measurement would give slightly different values.
        #expect(await gpu.workWeights(folder: folder) == measured)
        #expect(await gpu.workWeights(folder: folder, measures: false) == measured)

        let file = folder.appending(try #require(names.first)).string
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count - 10] ^= 1
        try bytes.write(to: URL(filePath: file))
        let again = try #require(await weights(by: gpu, folder))
        #expect(again != measured, "a damaged file is measured anew")
        #expect(await gpu.workWeights(folder: folder) == again)
    }

    @Test("costs are also measured where they cannot be saved")
    func unwritable() async throws {
        let gpu = try await SharedContext.get()
        #expect(await weights(by: gpu, "/dev/null/speed") != nil)
    }
}
