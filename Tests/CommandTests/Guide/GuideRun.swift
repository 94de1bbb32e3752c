import Foundation
import PipTestSupport
import Testing

/// Runs the code blocks of a page one after another in one folder, as a reader would.
///
/// Small test patterns replace cameras, and free ports replace the page's ports. Commands that would run until Ctrl-C
/// end after a moment.
struct GuideRun: Sendable {
    private let folder: TemporaryFolder
    private let ports: [String: Int]

    /// Shell functions that replace commands of the page.
    ///
    /// `pip-compose` runs the program under test, and limits compositions to a moment unless `ENDLESS` is set. `curl`
    /// fails when a server reports an error.
    private static let meanings = """
        set -eu
        pip-compose() {
            case $1 in
            config | devices | effects | explain | doctor | join | recordings) "$PROGRAM" "$@"; return ;;
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

    /// The size that replaces the sizes of a page, so that drawing takes little time.
    private static let size = "320x180"

    init() throws {
        folder = try TemporaryFolder()
        ports = ["8080": try FreePort.tcp(), "8090": try FreePort.tcp()]
    }

    /// Runs blocks in order.
    ///
    /// `port` is the port of the panel of a command that is still running; nil for no panel.
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

    /// Runs a block to its end, and checks its exit status and its output.
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

    /// Starts a block, runs the later blocks meanwhile, and then interrupts the block.
    private func runOn(_ block: GuideBlock, meanwhile rest: ArraySlice<GuideBlock>, beside port: Int?) async throws {
        let own = ports.first { replaced(block.text).contains("\($0.value)") }?.value
        let named = own ?? (block.text.contains("pip-compose run") ? ports["8080"] : nil)
        let run = try await shell(replaced(block.commands), ["ENDLESS": "1"]) { running in
            defer { running.send(SIGINT) }
            try await follow(rest, beside: named ?? port)
        }
        #expect(run.status == 0, "\(block.place):\n\(block.commands)\n\(run.errors)")
    }

    /// True if a printed line matches a line of the page, in which an ellipsis stands for any text.
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

    /// Shell commands that wait about half a minute at most until the panel at a port is ready; empty without a port.
    private func waiting(for port: Int?) -> String {
        guard let port else { return "" }
        return """
            for try in {1..300}; do
                if command curl --silent --fail --output /dev/null localhost:\(port)/readyz; then break; fi
                sleep 0.1
            done

            """
    }

    /// The commands of a page, with cameras, sizes, durations and ports replaced by those of the test.
    private func replaced(_ text: String, size: String = "?size=\(Self.size)") -> String {
        var text = text.replacing(/camera:[0-9]\?/, with: "pattern:scene?")
            .replacing(/camera:[0-9]/, with: "pattern:scene\(size)")
            .replacing(/1280x720|1920x1080/, with: Self.size)
            .replacing(/--duration [0-9]+s/, with: "--duration 300ms")
        for (port, free) in ports { text = text.replacing(port, with: "\(free)") }
        return text
    }
}
