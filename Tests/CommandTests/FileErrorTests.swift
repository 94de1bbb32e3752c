import Foundation
import PipTestSupport
import Testing

@testable import pip_compose

@Suite("Errors of files", .serialized)
struct FileErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["folder.png", "folder.y4m", "folder.mp4", "folder.cube", "folder.glsl", "folder.yaml"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
    }

    private static let missing = "No such file or directory"
    private static let isFolder = "it is a folder; name a file in it"

    /// A command line, the file that it names, and the expected message after the file's name.
    private static let cases: [(line: String, file: String, sentence: String)] = [
        ("compose --main none.y4m --output null:", "none.y4m", "cannot open: \(missing)"),
        ("compose --main none.png --output null:", "none.png", "cannot open: \(missing)"),
        ("compose --main none.mp4 --output null:", "none.mp4", "cannot open: \(missing)"),
        ("compose --main folder.png --output null:", "folder.png", "cannot open: it is a folder without pictures"),
        ("compose --main folder.y4m --output null:", "folder.y4m", "cannot open: \(isFolder)"),
        ("compose --main folder.mp4 --output null:", "folder.mp4", "cannot open: \(isFolder)"),
        ("compose --watermark none.png --output null:", "none.png", "cannot open: \(missing)"),
        ("compose --sticker none.webp --output null:", "none.webp", "cannot open: \(missing)"),
        ("compose --text a,font=./none.ttf --output null:", "none.ttf", "cannot open: \(missing)"),
        (
            "compose --output none/out.y4m", "none/out.y4m",
            "cannot create: the folder none does not exist; this makes it: mkdir -p none"
        ),
        (
            "compose --output none/out.mp4", "none/out.mp4",
            "cannot create: the folder none does not exist; this makes it: mkdir -p none"
        ),
        ("compose --output /proc/out.y4m", "/proc/out.y4m", "cannot create: \(missing)"),
        ("compose --output /proc/out.mp4", "/proc/out.mp4", "cannot create: \(missing)"),
        ("compose --output folder.y4m", "folder.y4m", "cannot create: \(isFolder)"),
        ("compose --output /dev/full?format=y4m", "/dev/full", "cannot write frame 0: No space left on device"),
        ("compose --output null: --stats /dev/full", "/dev/full", "cannot write: No space left on device"),
        ("compose --output null: --stats /proc/stats.json", "/proc/stats.json", "cannot create: \(missing)"),
        ("compose --effect main:cube=./none.cube --output null:", "./none.cube", "cannot read: \(missing)"),
        ("compose --effect main:lookup=./none.png --output null:", "./none.png", "cannot read: \(missing)"),
        ("compose --effect main:cube=./folder.cube --output null:", "./folder.cube", "cannot read: \(isFolder)"),
        ("compose --effect main:./none.glsl --output null:", "./none.glsl", "cannot read: \(missing)"),
        ("compose --effect main:./folder.glsl --output null:", "./folder.glsl", "cannot read: \(isFolder)"),
        ("compose --pressure-policy none.yaml --output null:", "none.yaml", "cannot read: \(missing)"),
        ("run none.yaml", "none.yaml", "cannot read: \(missing)"),
        ("run folder.yaml", "folder.yaml", "cannot read: \(isFolder)"),
        ("config check none.yaml", "none.yaml", "cannot read: \(missing)"),
    ]

    @Test("an error names its file once and the reason once", arguments: cases.indices)
    func namesOnce(_ index: Int) async throws {
        let (line, file, sentence) = Self.cases[index]
        let frames = line.hasPrefix("compose") ? " --main pattern:bars --frames 1" : ""
        let main = line.contains("--main") ? " --frames 1" : frames
        let run = try await folder.run(line + main)
        let error = try #require(run.errors.split(separator: "\n").first { $0.hasPrefix("error: ") })
        #expect(run.status != 0)
        #expect(error.hasSuffix("\(file): \(sentence)"), "\(run.errors)")
        #expect(error.ranges(of: file).count == 1, "\(run.errors)")
    }

    @Test(
        "files that the user may not read or make are told as such",
        arguments: [
            ("--main private.y4m --output null:", "private.y4m: cannot open: Permission denied"),
            ("--main private.mp4 --output null:", "private.mp4: cannot open: Permission denied"),
            ("--main pattern:bars --output locked/out.y4m", "locked/out.y4m: cannot create: Permission denied"),
            ("--main pattern:bars --output locked/out.mp4", "locked/out.mp4: cannot create: Permission denied"),
            (
                "--main pattern:bars --output locked/%05d.png",
                "locked/%05d.png: cannot create: Permission denied"
            ),
            (
                "--main pattern:bars --effect main:cube=./private.cube --output null:",
                "./private.cube: cannot read: Permission denied"
            ),
        ])
    func permissions(_ line: String, _ sentence: String) async throws {
        for name in ["private.y4m", "private.mp4", "private.cube"] {
            try folder.write([0], to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path(name))
        }
        try FileManager.default.createDirectory(atPath: folder.path("locked"), withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path("locked"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        let words = (line + " --frames 1").split(separator: " ").map(String.init)
        // Root ignores file permissions.
        let isRoot = geteuid() == 0
        let run = try await CommandProcess(
            isRoot ? ["--reuid=65534", "--clear-groups", CommandProcess.program.path] + words : words,
            of: isRoot ? URL(filePath: "/usr/bin/setpriv") : CommandProcess.program, in: folder.url)
        #expect(run.status != 0)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }
}
