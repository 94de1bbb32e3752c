import Foundation
import PipTestSupport
import Testing

/// Tests the program on a machine without OpenGL.
///
/// Empty files with the names of OpenGL's libraries hide the real libraries from the dynamic linker.
@Suite("Without libEGL, libGLESv2, libgbm and Mesa")
struct WithoutOpenGLTests {
    private let folder: TemporaryFolder
    private let libraries: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        libraries = try TemporaryFolder()
        for name in [
            "libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1", "libEGL_mesa.so.0", "libGLdispatch.so.0",
            "libglapi.so.0",
        ] { try libraries.write([], to: name) }
    }

    private func run(_ line: String, _ environment: [String: String] = [:]) async throws -> CommandProcess {
        let hidden = ["LD_LIBRARY_PATH": libraries.url.path]
        return try await CommandProcess(
            line.split(separator: " ").map(String.init), in: folder.url,
            environment: hidden.merging(environment) { $1 })
    }

    @Test("the program needs none of them to start")
    func needsNone() async throws {
        // `LD_TRACE_LOADED_OBJECTS` makes the dynamic linker list the libraries of the program instead of running it.
        let list = try await run("", ["LD_TRACE_LOADED_OBJECTS": "1"]).text
        #expect(list.contains("libc.so.6"))
        for name in ["libEGL", "libGLESv2", "libgbm", "libGLdispatch"] { #expect(!list.contains(name), "\(name)") }
    }

    @Test("it composes, filters and writes", arguments: ["auto", "cpu"])
    func composes(_ renderer: String) async throws {
        let said = try await run(
            """
            --main pattern:bars?size=64x32 --inset pattern:scene?size=32x16 --effect inset:saturation=0.5 \
            --effect output:gaussian-blur=2 --layout top-right,width=50%,radius=4 --renderer \(renderer) \
            --output out.y4m --output frames/%d.png --frames 3
            """)
        #expect(said.status == 0, "\(said.errors)")
        #expect(said.errors.contains("drawn by the CPU"))
        #expect(folder.size("out.y4m") > 3 * 64 * 32 * 3 / 2)
        #expect(try folder.names == ["frames", "out.y4m"])
        #expect(folder.size("frames/3.png") > 100)
    }

    @Test("OpenGL ES is refused with the library that is missing, and its package: 69")
    func refuses() async throws {
        let said = try await run("--main pattern:bars?size=64x32 --renderer gl --output out.y4m --frames 3")
        #expect(said.status == 69)
        #expect(said.errors.contains("libEGL.so.1: cannot load the library: dlopen: "))
        #expect(said.errors.contains("sudo apt-get install libegl1"))
        #expect(try folder.names == [])
    }

    @Test(
        "a library that has ended three starts of the program is not loaded again: the error says so, and the CPU draws",
        .enabled(if: SharedLibrary.canCompile, "needs a C compiler"))
    func crashes() async throws {
        let source = "#include <signal.h>\n__attribute__((constructor)) static void end(void) { raise(SIGSEGV); }\n"
        try libraries.write(Array(source.utf8), to: "end.c")
        try await SharedLibrary.compile(libraries.path("end.c"), to: libraries.path("libEGL.so.1"))
        let environment = ["XDG_CACHE_HOME": folder.path("cache"), "SWIFT_BACKTRACE": "enable=no"]
        let line = "--main pattern:bars?size=64x32 --output out.y4m --frames 3"
        for _ in 0..<3 { #expect(try await run("\(line) --renderer gl", environment).status == -SIGSEGV) }
        let said = try await run("\(line) --renderer gl", environment)
        #expect(said.status == 69)
        #expect(said.errors.contains("it has ended the program at its last 3 starts; update the driver, and remove "))
        #expect(try await run(line, environment).status == 0)
        #expect(folder.size("out.y4m") > 3 * 64 * 32 * 3 / 2)
    }

    @Test("the doctor names what is missing as a note, and the CPU draws")
    func doctor() async throws {
        let said = try await run("doctor --json")
        #expect(said.status == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: said.output) as? [String: Any])
        #expect(object["can_compose"] as? Bool == true)
        let findings = try #require(object["findings"] as? [[String: Any]])
        let missing = try #require(findings.first { $0["subject"] as? String == "OpenGL ES" })
        #expect(missing["severity"] as? String == "note")
        #expect((missing["detail"] as? String)?.contains("libEGL.so.1") == true)
        #expect((missing["remedy"] as? String)?.contains("libegl1") == true)
        let cpu = try #require(findings.first { $0["subject"] as? String == "CPU drawing" })
        #expect(cpu["severity"] as? String == "ok")
    }
}
