import Foundation
import PipFrames
import PipPressure
import SystemPackage
import Testing

@Suite("The files of sensors")
struct RootedFilesTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pip-sensors-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test("sensor files are read below a folder, without white space at their ends")
    func read() throws {
        try inFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/sys", withIntermediateDirectories: true)
            try "45000\n".write(toFile: "\(folder)/sys/temp", atomically: true, encoding: .utf8)
            for root in [folder, folder + "/"] {
                let files = RootedFiles(root: root)
                #expect(try files.text(of: "sys/temp") == "45000")
                #expect(files.names(in: "sys") == ["temp"])
            }
        }
    }

    @Test("a missing sensor file is an error, and a missing folder is empty")
    func missing() throws {
        try inFolder { folder in
            let files = RootedFiles(root: folder)
            #expect(throws: Errno.noSuchFileOrDirectory) { try files.text(of: "temp") }
            #expect(throws: Errno.isDirectory) { try files.text(of: "") }
            #expect(files.names(in: "sys") == [])
        }
    }

    @Test("files below a folder make a complete sensor with its level")
    func sensor() throws {
        try inFolder { folder in
            let zone = "\(folder)/sys/class/thermal/thermal_zone0"
            try FileManager.default.createDirectory(atPath: zone, withIntermediateDirectories: true)
            for (name, text) in [
                ("type", "cpu-thermal"), ("temp", "96000"), ("trip_point_0_type", "passive"),
                ("trip_point_0_temp", "80000"),
            ] { try "\(text)\n".write(toFile: "\(zone)/\(name)", atomically: true, encoding: .utf8) }
            var sampler = PressureSampler(root: folder)
            let (state, problems) = sampler.sample(load: LoadSample(), now: .zero)
            #expect(problems == [])
            #expect(state.isKnown)
            #expect(state.level == .critical)
            #expect(state.readings.first?.description == "thermal_zone0 (cpu-thermal): 96.0 °C, passive from 80.0 °C")
        }
    }
}
