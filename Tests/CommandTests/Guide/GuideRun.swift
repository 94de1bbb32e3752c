import Foundation
import PipTestSupport
import Testing

/// Does what a page says, block by block in one folder, as a reader would.
///
/// Small generated pictures stand for cameras, free ports for the page's, and what goes on until Ctrl-C ends after a
/// moment.
struct GuideRun: Sendable {
    private let folder: TemporaryFolder
    private let ports: [String: Int]

    /// Shell functions for the page's commands: they run the built program for a moment, and fail where a server does.
    private static let meanings = """
        set -eu
        pip-compose() {
            case $1 in
            config | devices | effects | explain | doctor | join) "$PROGRAM" "$@"; return ;;
            esac
            if [ -n "${ENDLESS:-}" ]; then exec "$PROGRAM" "$@"; fi
            case $1 in
            run)
                { cat "$2"; echo 'run: {duration: 300ms}'; } > ".short-$2"
                "$PROGRAM" run ".short-$2" ;;
            *)
                case " $* " in *" --duration "* | *" --frames "*) ;; *) set -- "$@" --duration 300ms ;; esac
                "$PROGRAM" "$@" ;;
            esac
        }
        curl() {
            case " $* " in *" --fail "*) ;; *) set -- --fail-with-body "$@" ;; esac
            command curl --silent --show-error --max-time 20 "$@"
        }

        """

    /// Small, since a debug build draws.
    private static let size = "320x180"

    init() throws {
        folder = try TemporaryFolder()
        ports = ["8080": try FreePort.tcp(), "8090": try FreePort.tcp()]
    }

    /// Does what the blocks say.
    func follow(_ blocks: ArraySlice<GuideBlock>, beside port: Int? = nil) async throws {
        guard let block = blocks.first else { return }
        let rest = blocks.dropFirst()
        switch (block.note, block.language) {
        case (.needs, _): break
        case (.file(let name), let language):
            try folder.write(Array((replaced(block.text, size: "") + "\n").utf8), to: name)
            if language == "yaml" { try await check(name, block) }
        case (.runsOn, _): return try await runOn(block, meanwhile: rest, beside: port)
        case (_, "sh"), (_, "console"): try await run(block, beside: port)
        default: break
        }
        try await follow(rest, beside: port)
    }

    /// Runs a block to its end.
    private func run(_ block: GuideBlock, beside port: Int?) async throws {
        let run = try await shell("exec 2>&1\n" + waiting(for: port) + replaced(block.commands))
        #expect(run.status == block.status, "\(block.place):\n\(block.commands)\n\(run.text)")
        var lines = run.text.split(separator: "\n").map(String.init)[...]
        for shown in block.shown {
            let found = lines.firstIndex { Self.fits($0, replaced(shown)) }
            #expect(found != nil, "\(block.place) shows, but does not print: \(shown)\n\(run.text)")
            lines = lines[((found ?? lines.startIndex - 1) + 1)...]
        }
    }

    /// Runs a block that goes on until the blocks after it are done.
    private func runOn(_ block: GuideBlock, meanwhile rest: ArraySlice<GuideBlock>, beside port: Int?) async throws {
        let own = ports.first { replaced(block.text).contains("\($0.value)") }?.value
        let named = own ?? (block.text.contains("pip-compose run") ? ports["8080"] : nil)
        let run = try await shell(replaced(block.commands), ["ENDLESS": "1"]) { running in
            defer { running.send(SIGINT) }
            try await follow(rest, beside: named ?? port)
        }
        #expect(run.status == 0, "\(block.place):\n\(block.commands)\n\(run.errors)")
    }

    /// True when a line matches what a page shows, where an ellipsis stands for anything.
    private static func fits(_ line: String, _ shown: String) -> Bool {
        let pieces = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, line.hasPrefix(first) else { return false }
        guard pieces.count > 1 else { return line == shown }
        var rest = line.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private func check(_ name: String, _ block: GuideBlock) async throws {
        let check = try await CommandProcess(
            ["config", "check", name], in: folder.url, environment: ["STREAM_KEY": "key"])
        #expect(check.status == 0, "\(block.place):\n\(check.errors)")
    }

    private func shell(
        _ script: String, _ environment: [String: String] = [:],
        meanwhile: @escaping @Sendable (RunningCommand) async throws -> Void = { _ in }
    ) async throws -> CommandProcess {
        try await CommandProcess(
            ["-c", Self.meanings + script], of: URL(filePath: "/bin/bash"), in: folder.url,
            environment: environment.merging(["PROGRAM": CommandProcess.program.path]) { $1 }, seconds: 90,
            meanwhile: meanwhile)
    }

    /// Lines of a shell that wait until the panel at a port has a picture.
    private func waiting(for port: Int?) -> String {
        guard let port else { return "" }
        return """
            for try in {1..300}; do
                if command curl --silent --fail --output /dev/null localhost:\(port)/readyz; then break; fi
                sleep 0.1
            done

            """
    }

    /// A text with what there is here.
    private func replaced(_ text: String, size: String = "?size=\(Self.size)") -> String {
        var text = text.replacing(/camera:[0-9]\?/, with: "pattern:scene?")
            .replacing(/camera:[0-9]/, with: "pattern:scene\(size)")
            .replacing(/1280x720|1920x1080/, with: Self.size)
            .replacing(/--duration [0-9]+s/, with: "--duration 300ms")
        for (port, free) in ports { text = text.replacing(port, with: "\(free)") }
        return text
    }
}
