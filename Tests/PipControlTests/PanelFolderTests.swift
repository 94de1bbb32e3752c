#if Control
import Foundation
import PipTestSupport
import Testing

@testable import PipControl

@Suite("The folder of the panel's files", .timeLimit(.minutes(1)))
struct PanelFolderTests {
    private let outer: TemporaryFolder
    private let root: URL
    private let outside: URL

    init() throws {
        outer = try TemporaryFolder()
        let place = outer.url.resolvingSymlinksInPath()
        root = place.appending(path: "panel")
        outside = place.appending(path: "panel-outside")
        for folder in [root, outside] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(path: name).path, withDestinationPath: target)
    }

    private func exists(_ url: URL, _ name: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: name).path)
    }

    @Test("missing folders are created, and the returned path is absolute", arguments: [true, false])
    func folders(asksKernel: Bool) throws {
        let folder = PanelFolder(root.path, asksKernel: asksKernel)
        #expect(try folder.prepare("a/b/c.mp4") == root.path + "/a/b/c.mp4")
        #expect(exists(root, "a/b"))
        #expect(try folder.prepare("a/b/c.mp4") == root.path + "/a/b/c.mp4")
        #expect(try folder.prepare("c-%H%M.mp4?fps=5") == root.path + "/c-%H%M.mp4?fps=5")
        let year = Calendar.current.component(.year, from: Date())
        #expect(try folder.prepare("%Y/c.mp4") == root.path + "/\(year)/c.mp4")
        #expect(exists(root, "\(year)"))
    }

    @Test("a folder that is reached through a link holds files as its own", arguments: [true, false])
    func linkedRoot(asksKernel: Bool) throws {
        let linked = outer.url.appending(path: "panel-link")
        try FileManager.default.createSymbolicLink(atPath: linked.path, withDestinationPath: root.path)
        let folder = PanelFolder(linked.path, asksKernel: asksKernel)
        for _ in 0..<2 { #expect(try folder.prepare("a/b.mp4") == root.path + "/a/b.mp4") }
    }

    @Test(
        "a folder that is a link out of the panel's folder is refused, and nothing is created there",
        arguments: [true, false])
    func folderLink(asksKernel: Bool) throws {
        let folder = PanelFolder(root.path, asksKernel: asksKernel)
        try link("absolute", to: outside.path)
        try link("relative", to: "../panel-outside")
        for name in ["absolute", "relative"] {
            for file in ["\(name)/c.mp4", "\(name)/deep/c.mp4"] {
                let problem = #expect(throws: Problem.self) { try folder.prepare(file) }
                #expect(problem?.status == 422)
                #expect(problem?.detail == "\(name) leads out of the panel's folder through a symbolic link")
            }
        }
        #expect(!exists(outside, "deep"))
    }

    @Test(
        "a file that is a link out of the panel's folder is refused, also by a pattern, a part or a second file",
        arguments: [true, false], ["c.mp4", "c-%H.mp4", "%H.mp4", "c-.mp4?fps=5"])
    func fileLink(asksKernel: Bool, name: String) throws {
        let folder = PanelFolder(root.path, asksKernel: asksKernel)
        for (link, target) in [
            ("c-.mp4", outside.path + "/there"), (".c-.mp4.part", "../panel-outside/there"),
            ("c-2.mp4", outside.path + "/missing"),
        ] {
            _ = FileManager.default.createFile(atPath: outside.path + "/there", contents: nil)
            _ = try folder.prepare(name)
            try self.link(link, to: target)
            let problem = #expect(throws: Problem.self) { try folder.prepare(name) }
            #expect(problem?.detail.hasPrefix(link) == true)
            try FileManager.default.removeItem(atPath: root.path + "/" + link)
        }
    }

    @Test(
        "links that stay below the folder are followed, and links beside a file are ignored",
        arguments: [true, false])
    func innerLink(asksKernel: Bool) throws {
        let folder = PanelFolder(root.path, asksKernel: asksKernel)
        _ = try folder.prepare("a/b/c.mp4")
        try link("a/near", to: "b")
        try link("archive", to: outside.path)
        #expect(try folder.prepare("a/near/c.mp4") == root.path + "/a/near/c.mp4")
        #expect(try folder.prepare("%H.mp4") == root.path + "/%H.mp4")
    }

    @Test(
        "paths that are not below the folder are refused", arguments: ["", "/a", "~/a", "a/../b", "..", "a//b", "a\n"])
    func names(name: String) {
        #expect(throws: Problem.self) { try PanelFolder(root.path).prepare(name) }
    }
}
#endif
