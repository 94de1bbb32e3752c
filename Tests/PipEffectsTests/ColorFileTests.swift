import Foundation
import PipTestSupport
import Testing

@testable import PipEffects

@Suite("Files of colours")
struct ColorFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problem(_ text: String) -> String {
        do throws(FileProblem) {
            _ = try CubeFile(Array(text.utf8), path: "look.cube")
            return "no problem"
        } catch {
            return error.reason
        }
    }

    @Test("a cube is read with its domain, comments and blank lines")
    func readsCubes() throws {
        let text = """
            # made by hand
            TITLE "A look"\r
            DOMAIN_MIN -1 0 0.5
            DOMAIN_MAX 1 2 1.5

            LUT_3D_SIZE 2
            """
        let rows = (0..<8).map { "\($0 % 2) \($0 / 2 % 2)\t0.\($0)" }
        let file = try CubeFile(Array("\(text)\n\(rows.joined(separator: "\r\n"))\n\n".utf8), path: "look.cube")
        #expect(file.isCube && file.count == 2)
        #expect(file.low == [-1, 0, 0.5] && file.high == [1, 2, 1.5])
        #expect(file.values.count == 24 && file.values[9...11] == [1, 1, 0.3])
    }

    @Test("a table of curves is read, with the range that other programs write")
    func readsCurves() throws {
        let text = "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0.0 2.0\n0 0.25 1\n1 0.75 0"
        let file = try CubeFile(Array(text.utf8), path: "look.cube")
        #expect(!file.isCube && file.count == 2 && file.high == [2, 2, 2])
        #expect(file.values == [0, 0.25, 1, 1, 0.75, 0])
    }

    @Test(
        "errors in a colour file name their line",
        arguments: [
            ("", "look.cube: a .cube file must have LUT_3D_SIZE or LUT_1D_SIZE, but this file has neither"),
            ("LUT_3D_SIZE 66", "look.cube, line 1: LUT_3D_SIZE must be 2 to 65, not \"66\""),
            ("LUT_3D_SIZE 1", "look.cube, line 1: LUT_3D_SIZE must be 2 to 65, not \"1\""),
            ("LUT_3D_SIZE", "look.cube, line 1: LUT_3D_SIZE must be 2 to 65, not \"\""),
            ("LUT_1D_SIZE 65537", "look.cube, line 1: LUT_1D_SIZE must be 2 to 65536, not \"65537\""),
            (
                "\nLUT_3D_SIZE 2\nLUT_1D_SIZE 2",
                "look.cube, line 3: the file has a second LUT_3D_SIZE or LUT_1D_SIZE; keep one"
            ),
            ("0 0 0", "look.cube, line 1: colours must come after LUT_3D_SIZE or LUT_1D_SIZE"),
            ("LUT_1D_SIZE 2\n0 0\n", "look.cube, line 2: a colour must have 3 numbers, but has 2"),
            ("LUT_1D_SIZE 2\n0 0 x\n", "look.cube, line 2: x is not a number that 32-bit floats can hold"),
            ("LUT_1D_SIZE 2\n0 0 1e99\n", "look.cube, line 2: 1e99 is not a number that 32-bit floats can hold"),
            ("LUT_1D_SIZE 2\n0 0 0", "look.cube, line 2: the file ends after 1 of 2 colours"),
            (
                "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1",
                "look.cube, line 4: the file has more colours than the 2 that its size demands"
            ),
            ("PNG\u{1}", "look.cube, line 1: PNG\u{1} is not a keyword of .cube files"),
            ("DOMAIN_MIN 1 1\n", "look.cube, line 1: DOMAIN_MIN must have 3 numbers, but has 2"),
            (
                "LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\n0 0 0\n1 1 1",
                "look.cube: the domain of red must end above its start 1.0, but ends at 1.0"
            ),
        ])
    func refuses(_ text: String, _ message: String) {
        #expect(problem(text) == message)
    }

    @Test("row 43: files that are missing, too large, or without a table are refused")
    func refusesFiles() throws {
        let large = folder.path("large.cube")
        #expect(FileManager.default.createFile(atPath: large, contents: Data(count: 16 << 20 | 1)))
        let tooLarge = #expect(throws: EffectError.self) { try Cube(path: large) }
        #expect(tooLarge?.description.contains("but must have at most 16777216") == true)
        let error = #expect(throws: EffectError.self) { try Cube(path: folder.url.path) }
        #expect(error?.description == "cube: file: \(folder.url.path): cannot read: it is a folder; name a file in it")
        let unnamed = #expect(throws: EffectError.self) { try Cube(path: "") }
        #expect(unnamed?.description == "cube: file: the path is empty; name a file")
    }

    private func write(curves: [[(Int, Int)]], version: Int = 4) throws -> String {
        let numbers = [version, curves.count] + curves.flatMap { [$0.count] + $0.flatMap { [$0.1, $0.0] } }
        let path = folder.url.appending(path: "\(UUID().uuidString).acv")
        try Data(numbers.flatMap { [UInt8($0 >> 8 & 255), UInt8($0 & 255)] }).write(to: path)
        return path.path
    }

    @Test("a curves file gives the curve of all, then of red, green and blue")
    func readsCurvesFile() throws {
        let curve = try ToneCurve(
            path: write(curves: [[(0, 51), (255, 204)], [(0, 0), (102, 51), (255, 255)], [(0, 0), (255, 255)]]))
        #expect(curve.all == [ControlPoint(0, 0.2), ControlPoint(1, 0.8)])
        #expect(curve.red == [ControlPoint(0, 0), ControlPoint(0.4, 0.2), ControlPoint(1, 1)])
        #expect(curve.blue == [ControlPoint(0, 0), ControlPoint(0.5, 0.5), ControlPoint(1, 1)])
    }

    @Test("truncated and invalid curves files are refused with the offset")
    func refusesCurvesFiles() throws {
        let backwards = try write(curves: [[(100, 0), (50, 255)]])
        let error = #expect(throws: EffectError.self) { try ToneCurve(path: backwards) }
        #expect(
            error?.description
                == "tone-curve: file: \(backwards), byte 10: the point with input 50 and output 255 is out of range or order: both must be 0 to 255, and inputs must rise from point to point"
        )
        let cut = try write(curves: [[(0, 0), (255, 255)]])
        try Data(contentsOf: URL(filePath: cut)).dropLast(1).write(to: URL(filePath: cut))
        let other = #expect(throws: EffectError.self) { try ToneCurve(path: cut) }
        #expect(other?.description.hasSuffix("byte 12: the file ends before its curves are complete") == true)
        let strange = try write(curves: [[(0, 0), (255, 255)]], version: 7)
        #expect(throws: EffectError.self) { try ToneCurve(path: strange) }
    }
}
