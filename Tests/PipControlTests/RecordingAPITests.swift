#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipMedia
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipControl
@testable import PipRig

@Suite("The API of recordings", .timeLimit(.minutes(3)), .serialized)
struct RecordingAPITests {
    private static let base = "/api/v1/recordings"

    private static func names(_ panel: RunningPanel, _ query: String) async throws -> [String] {
        let answer = try await panel.send("GET", "\(base)?\(query)")
        guard case .array(let found)? = answer.json["recordings"] else {
            throw PanelClient.Failure("\(answer.status) \(answer.text)")
        }
        return found.compactMap { recording -> String? in
            guard case .string(let name)? = recording["name"] else { return nil }
            return name
        }
    }

    private static func start(_ recording: JSON?) -> Double {
        switch recording?["start"] {
        case .number(let number)?: number
        case .integer(let number)?: Double(number)
        default: .nan
        }
    }

    @Test("recordings are found by time, text, moments and lock, in pages, and counted by day")
    func list() async throws {
        try await RecordedFolder().run { panel, all in
            let names = try await Self.names(panel, "")
            #expect(Set(names) == Set(RecordedFolder.names))
            #expect(try await Self.names(panel, "find=CLIP&moments=&locked=false") == ["clip-00001.mp4"])
            #expect(try await Self.names(panel, "moments=true") == ["clip-00001.mp4"])
            #expect(try await Self.names(panel, "locked=true").isEmpty)
            #expect(try await Self.names(panel, "limit=2&offset=1") == Array(names[1...2]))
            let first = Self.start(all.last)
            #expect(try await Self.names(panel, "to=\(first)").isEmpty)
            #expect(try await Self.names(panel, "from=\(first + 100)").isEmpty)
            let clip = try #require(all.first { $0["name"] == .string("clip-00001.mp4") })
            #expect(clip.line.contains("brake (0.6 g)") && clip["state"] == .string("complete"))
            let days = try await panel.send("GET", "\(Self.base)/days")
            guard case .array(let list)? = days.json["days"], case .integer(let from)? = list.last?["from"],
                case .integer(let to)? = list.last?["to"]
            else { return #expect(Bool(false), "\(days.text)") }
            #expect(Double(from) <= first && first < Double(to) && (82_800...90_000).contains(to - from))
            guard case .array(let offsets)? = list.last?["offsets"] else { return #expect(Bool(false), "\(days.text)") }
            #expect(offsets.first?["from"] == .integer(from) && offsets.first?["seconds"] != nil)
            #expect(try await panel.send("GET", "/api/v1/state").text.contains(#""recordings": "change""#))
            for query in ["from=x", "to=-1", "moments=maybe", "limit=0", "limit=1001", "offset=-1", "from=nan"] {
                let answer = try await panel.send("GET", "\(Self.base)?\(query)")
                #expect(answer.status == 422 && answer.text.contains("must be"), "\(query)")
            }
        }
    }

    @Test("a recording is locked, unlocked and deleted, and a locked or unknown one is not deleted")
    func changes() async throws {
        let recorded = try await RecordedFolder()
        try await recorded.run { panel, _ in
            let body = #"{"name": "drive-00002.mp4"}"#
            let locked = try await panel.send("POST", "\(Self.base)/lock", body)
            #expect(locked.status == 200 && locked.json["locked"] == .bool(true), "\(locked.text)")
            #expect(locked.json["name"] == .string("locked/drive-00002.mp4"))
            #expect(try await Self.names(panel, "locked=true") == ["locked/drive-00002.mp4"])
            #expect(FileManager.default.fileExists(atPath: recorded.folder.path("locked/drive-00002.mp4")))
            let kept = try await panel.send("DELETE", "\(Self.base)/file?name=locked/drive-00002.mp4")
            #expect(kept.status == 409 && kept.text.contains("it is locked; unlock it first"))
            #expect(!kept.text.contains(recorded.folder.url.path), "no paths of the machine")
            try recorded.folder.write([1], to: "drive-00002.mp4")
            let name = #"{"name": "locked/drive-00002.mp4"}"#
            #expect(try await panel.send("POST", "\(Self.base)/unlock", name).status == 409, "the name is taken")
            try FileManager.default.removeItem(atPath: recorded.folder.path("drive-00002.mp4"))
            #expect(try await panel.send("POST", "\(Self.base)/unlock", name).status == 200)
            #expect(try await panel.send("DELETE", "\(Self.base)/file?name=drive-00002.mp4").status == 204)
            #expect(!FileManager.default.fileExists(atPath: recorded.folder.path("drive-00002.mp4")))
            #expect(try await Self.names(panel, "").count == 3)
            for name in ["drive-00002.mp4", "../x.mp4", "%2e%2e/x.mp4", "/etc/passwd", "locked/../drive-00001.mp4"] {
                for method in ["GET", "DELETE"] {
                    let answer = try await panel.send(method, "\(Self.base)/file?name=\(name)")
                    #expect(answer.status == 404 && answer.text.contains("find the recording"), "\(method) \(name)")
                }
            }
            #expect(try await panel.send("DELETE", "\(Self.base)/file").status == 422)
            #expect(try await panel.send("POST", "\(Self.base)/lock", "{}").status == 422)
        }
    }

    @Test("a file is sent whole and in ranges, and what was added to it, too")
    func file() async throws {
        let recorded = try await RecordedFolder()
        let bytes = try recorded.folder.read("drive-00001.mp4")
        try await recorded.run { panel, _ in
            let path = "\(Self.base)/file?name=drive-00001.mp4"
            let whole = try await panel.send("GET", path)
            #expect(whole.status == 200 && whole.body == bytes)
            #expect(whole.headers["content-type"] == "video/mp4" && whole.headers["accept-ranges"] == "bytes")
            #expect(whole.headers["content-length"] == "\(bytes.count)" && whole.headers["transfer-encoding"] == nil)
            #expect(whole.headers["content-disposition"]?.contains(#"filename="drive-00001.mp4""#) == true)
            let head = try await panel.send("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "\(bytes.count)")
            func ask(_ range: String, _ more: [String: String] = [:]) async throws -> PanelClient.Answer {
                try await panel.send("GET", path, headers: more.merging(["Range": range]) { $1 })
            }
            let part = try await ask("bytes=100-299")
            #expect(part.status == 206 && part.body == Array(bytes[100..<300]))
            #expect(part.headers["content-range"] == "bytes 100-299/\(bytes.count)")
            #expect(try await ask("bytes=-10").body == Array(bytes.suffix(10)))
            #expect(try await ask("bytes=200-").body == Array(bytes[200...]))
            let behind = try await ask("bytes=\(bytes.count)-")
            #expect(behind.status == 416 && behind.headers["content-range"] == "bytes */\(bytes.count)")
            let tag = try #require(whole.headers["etag"])
            #expect(try await ask("bytes=0-9", ["If-Range": tag]).status == 206)
            #expect(try await ask("bytes=0-9", ["If-Range": "\"old\""]).status == 200)
            let handle = try FileHandle(forWritingTo: recorded.folder.url.appending(path: "drive-00001.mp4"))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(repeating: 7, count: 100))
            try handle.close()
            #expect(try await ask("bytes=\(bytes.count)-").body == [UInt8](repeating: 7, count: 100))
            #expect(try await ask("bytes=0-9", ["If-Range": tag]).status == 200, "the file has changed")
        }
    }

    @Test("a thumbnail is a small picture, which is not sent again, and a file without a picture has none")
    func thumbnail() async throws {
        let recorded = try await RecordedFolder()
        try recorded.folder.write([UInt8](repeating: 3, count: 500), to: "broken.mp4")
        let recordings = try PanelRecordings(recorded.folder.url.path)
        try await RunningPanel.run(recordings: recordings) { panel in
            _ = try await RecordedFolder.listed(panel, count: 5)
            let path = "\(Self.base)/thumbnail?name="
            let pictures = try await withThrowingTaskGroup(of: (String, PanelClient.Answer).self) { group in
                for name in RecordedFolder.names + RecordedFolder.names {
                    group.addTask { (name, try await panel.send("GET", path + name)) }
                }
                return try await group.reduce(into: [String: [[UInt8]]]()) { pictures, answer in
                    #expect(answer.1.status == 200 && answer.1.headers["content-type"] == "image/jpeg", "\(answer.0)")
                    pictures[answer.0, default: []].append(answer.1.body)
                }
            }
            #expect(pictures.values.allSatisfy { $0.count == 2 && $0[0] == $0[1] })
            #expect(Set(pictures.values.map { $0[0] }).count > 2, "each recording has its own picture")
            let clip = try #require(pictures["clip-00001.mp4"]?.first)
            // The frame header of a JPEG file has its precision, height and width.
            let header = try #require(clip.indices.first { clip[$0...].starts(with: [0xff, 0xc0]) })
            #expect(Array(clip[(header + 4)..<(header + 9)]) == [8, 0, 115, 0, 192])
            let tag = try #require(try await panel.send("GET", path + "clip-00001.mp4").headers["etag"])
            let known = try await panel.send("GET", path + "clip-00001.mp4", headers: ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty)
            let broken = try await panel.send("GET", path + "broken.mp4")
            #expect(broken.status == 409 && broken.text.contains("broken.mp4: cannot show a picture"), "\(broken.text)")
            #expect(!broken.text.contains(recorded.folder.url.path))
            #expect(try await panel.send("GET", path + "none.mp4").status == 404)
        }
    }

    @Test("a span of two parts is exported as one movie, and leaves no file behind")
    func export() async throws {
        let recorded = try await RecordedFolder()
        try recorded.folder.write([UInt8](repeating: 3, count: 500), to: "broken.mp4")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -1000)], ofItemAtPath: recorded.folder.path("broken.mp4"))
        try recorded.folder.write([1], to: ".export-1.mp4")
        let recordings = try PanelRecordings(recorded.folder.url.path)
        try await RunningPanel.run(recordings: recordings) { panel in
            let all = try await RecordedFolder.listed(panel, count: 5)
            let start = Self.start(all.first { $0["name"] == .string("drive-00001.mp4") })
            let path = "\(Self.base)/export?name=drive-00001.mp4&from=\(start + 0.5)&to=\(start + 0.9)"
            let answer = try await panel.send("GET", path)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.headers["content-length"] == "\(answer.body.count)")
            #expect(answer.headers["content-disposition"]?.contains("drive-00001-part.mp4") == true)
            let output = try TemporaryFolder()
            try output.write(answer.body, to: "part.mp4")
            let duration = try #require(try MovieFacts(ofFile: output.path("part.mp4")).duration)
            #expect(abs(duration.inSeconds - 0.4) < 0.1, "\(duration)")
            #expect(try await panel.send("HEAD", path).status == 200)
            let empty = try await panel.send("GET", "\(Self.base)/export?name=drive-00001.mp4&from=5&to=6")
            #expect(empty.status == 409 && empty.text.contains("nothing in that span"))
            let broken = try await panel.send("GET", "\(Self.base)/export?name=broken.mp4&from=1&to=99999999999")
            #expect(broken.status == 409, "\(broken.text)")
            let left = try FileManager.default.contentsOfDirectory(atPath: recorded.folder.url.path)
            #expect(!left.contains { $0.contains(".export-") }, "\(left)")
        }
    }

    @Test("a panel with changes=off only reads, one with a token asks for it, and one without recordings says so")
    func rights() async throws {
        let recorded = try await RecordedFolder()
        let requests: [(String, String, String?)] = [
            ("POST", "/lock", #"{"name": "drive-00001.mp4"}"#), ("POST", "/unlock", #"{"name": "drive-00001.mp4"}"#),
            ("DELETE", "/file?name=drive-00001.mp4", nil),
        ]
        try await recorded.run("?changes=off") { panel, _ in
            for (method, path, body) in requests {
                let answer = try await panel.send(method, Self.base + path, body)
                #expect(answer.status == 403 && answer.text.contains("changes=off"), "\(path)")
            }
            #expect(try await panel.send("GET", "\(Self.base)/file?name=drive-00001.mp4").status == 200)
            #expect(try await panel.send("GET", "/api/v1/state").text.contains(#""recordings": "read""#))
        }
        let reads: [(String, String, String?)] = [
            ("GET", "", nil), ("GET", "/days", nil), ("GET", "/file?name=drive-00001.mp4", nil),
            ("GET", "/export?name=drive-00001.mp4", nil), ("GET", "/thumbnail?name=drive-00001.mp4", nil),
        ]
        let recordings = try PanelRecordings(recorded.folder.url.path)
        try await RunningPanel.run(token: "open sesame", recordings: recordings) { panel in
            for (method, path, body) in requests + reads {
                let answer = try await panel.send(method, Self.base + path, body)
                #expect(answer.status == 401, "\(path)")
            }
        }
        try await RunningPanel.run { panel in
            for (method, path, body) in requests + reads {
                let answer = try await panel.send(method, Self.base + path, body)
                #expect(answer.status == 404 && answer.text.contains("--panel-recordings DIR"), "\(path)")
            }
        }
    }

    @Test("the folder and its option are parsed, and a missing folder is refused")
    func options() throws {
        let folder = try TemporaryFolder()
        #expect(try PanelRecordings(folder.url.path).allowsChanges)
        let reading = try PanelRecordings(folder.url.path + "?changes=off")
        #expect(!reading.allowsChanges && reading.folder == folder.url.path)
        for text in [folder.path("none"), folder.url.path + "?delete=off", ""] {
            #expect(throws: PanelError.self) { try PanelRecordings(text) }
        }
    }

    @Test(
        "a range of bytes is parsed",
        arguments: [
            ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("bytes=0-99999999999999999999", .part(0..<10)), ("BYTES=9-9", .part(9..<10)),
            ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=3-2", .whole), ("bytes=0-1,3-4", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("bytes=1-2-3", .whole), ("lines=0-1", .whole), ("", .whole), ("bytes=٣-", .whole),
        ])
    func ranges(_ header: String, _ range: ByteRange) {
        #expect(ByteRange(header, of: 10) == range)
        #expect(ByteRange(nil, of: 10) == .whole)
        #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
    }
}
#endif
