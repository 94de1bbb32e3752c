import Foundation
import PipFrames
import SystemPackage
import Testing

@testable import PipGL

@Suite("A program cache")
struct ProgramCacheTests {
    /// Runs `body` with the path of a folder that does not exist yet, and removes the folder afterwards.
    private func withFolder(_ body: (FilePath) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pip-programs-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Three levels of the path do not exist, so the cache must create all of them.
        try await body(FilePath(folder).appending("a").appending("b"))
    }

    private static func fragment(_ number: Int) -> [ShaderChunk] {
        let text = """
            precision highp float;
            layout(location = 0) out vec4 color;
            void main() { color = vec4(\(number).0 / 255.0); }
            """
        return [ShaderChunk(name: "\(number).frag", text: text)]
    }

    /// Requests programs from a new context and a new cache, draws with each, and returns the counters and the results.
    private func start(
        _ numbers: [Int], folder: FilePath?, limit: Int = 128
    ) async throws
        -> (ProgramCache.Counters, [UInt8])
    {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let cache = ProgramCache(limit: limit, folder: folder)
                let target = try RenderTarget([Texture(size: .init(1, 1), format: .r8, on: gpu)], on: gpu)
                let drawn = try numbers.map { number in
                    let program = try cache.program(
                        label: "\(number)", vertex: [VertexlessQuad.chunk], fragment: Self.fragment(number), on: gpu)
                    DrawState(program, into: target).draw(on: gpu)
                    return try target.bytes(on: gpu)[0]
                }
                return (cache.counters, drawn)
            }
        }
    }

    @Test("compiles nothing in a second start")
    func secondStart() async throws {
        try await withFolder { folder in
            let first = try await start([1, 2, 1], folder: folder)
            #expect(first.0 == .init(compiled: 2, loaded: 0, reused: 1))
            #expect(first.1 == [1, 2, 1])
            let second = try await start([2, 1, 3], folder: folder)
            #expect(second.0 == .init(compiled: 1, loaded: 2, reused: 0))
            #expect(second.1 == [2, 1, 3])
        }
    }

    @Test("forgets the least recently used programs beyond its limit")
    func limit() async throws {
        let (counters, drawn) = try await start([1, 2, 1, 3, 1, 2], folder: nil, limit: 2)
        #expect(counters == .init(compiled: 4, loaded: 0, reused: 2))
        #expect(drawn == [1, 2, 1, 3, 1, 2])
    }

    @Test("ignores files that are damaged", arguments: ["empty", "short", "last byte", "middle byte", "other"])
    func damage(kind: String) async throws {
        try await withFolder { folder in
            _ = try await start([1], folder: folder)
            let name = try #require(Folder.entries(of: folder.string).first)
            let file = URL(filePath: folder.appending(name).string)
            var content = try Data(contentsOf: file)
            switch kind {
            case "empty": content = Data()
            case "short": content = content.dropLast(20)
            case "last byte": content[content.count - 1] ^= 1
            case "middle byte": content[content.count - 40] ^= 0x80
            default: content = Data("something else".utf8)
            }
            try content.write(to: file)
            let again = try await start([1], folder: folder)
            #expect(again.0 == .init(compiled: 1, loaded: 0, reused: 0))
            #expect(again.1 == [1])
            // The cache has replaced the damaged file.
            #expect(try await start([1], folder: folder).0 == .init(compiled: 0, loaded: 1, reused: 0))
        }
    }

    @Test("does without a folder that cannot be made")
    func unwritable() async throws {
        let (counters, drawn) = try await start([1, 1], folder: "/dev/null/programs")
        #expect(counters == .init(compiled: 1, loaded: 0, reused: 1))
        #expect(drawn == [1, 1])
    }

    @Test("leaves only files of programs")
    func files() async throws {
        try await withFolder { folder in
            _ = try await start([1, 2], folder: folder)
            let names = Folder.entries(of: folder.string)
            #expect(names.count == 2)
            #expect(names.allSatisfy { $0.hasSuffix(".program") })
        }
    }

    @Test("finds a program only for the same driver and source")
    func identity() async throws {
        try await withFolder { folder in
            let store = ProgramStore(folder: folder)
            let source = ProgramSource(vertex: "vertex", fragment: "fragment")
            let binary = ProgramBinary(format: 0x8765_4321, bytes: [1, 2, 3])
            store.save(binary, of: source, driver: "driver 1")
            #expect(store.load(source, driver: "driver 1") == binary)
            #expect(store.load(source, driver: "driver 2") == nil)
            #expect(store.load(ProgramSource(vertex: "vertexf", fragment: "ragment"), driver: "driver 1") == nil)
        }
    }

    @Test("writes only files that are short enough to be read again", arguments: [0, 1])
    func byteLimit(spare: Int) async throws {
        try await withFolder { folder in
            let cache = CacheFolder(folder, suffix: ".program", fileLimit: 2)
            // The header with the key takes 13 bytes, and the checksum 8.
            let contents = [UInt8](repeating: 7, count: (16 << 20) - 21 - spare)
            cache.save(contents, for: ["k"])
            #expect(Folder.entries(of: folder.string).count == spare)
            #expect(cache.load(["k"])?.count == (spare == 0 ? nil : contents.count))
        }
    }

    @Test("keeps a limited number of files, the newest ones, and makes room for many at once")
    func fileLimit() async throws {
        try await withFolder { folder in
            let store = ProgramStore(folder: folder)
            let limit = ProgramStore.fileLimit
            let sources = (0..<limit + 3).map { ProgramSource(vertex: "\($0)", fragment: "") }
            for (index, source) in sources.enumerated() {
                store.save(ProgramBinary(format: 1, bytes: [1]), of: source, driver: "")
                if index == limit - 1 { #expect(Folder.entries(of: folder.string).count == limit) }
            }
            let kept = limit * 3 / 4 + 2
            #expect(Folder.entries(of: folder.string).count == kept)
            #expect(sources.suffix(kept - 2).allSatisfy { store.load($0, driver: "") != nil })
        }
    }

    @Test(
        "lies in the folder that the environment selects",
        arguments: [
            ("/cache", "/home/me", "/cache/pip-compose/programs"),
            ("relative", "/home/me", "/home/me/.cache/pip-compose/programs"),
            (nil, "/home/me", "/home/me/.cache/pip-compose/programs"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func folder(cacheHome: String?, home: String?, expected: String?) {
        #expect(CacheFolder.path("programs", cacheHome: cacheHome, home: home)?.string == expected)
    }
}
