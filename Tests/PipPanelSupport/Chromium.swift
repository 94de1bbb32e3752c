import CPlatform
package import Foundation
package import PipRig
import PipTestSupport
import Synchronization

/// Headless Chromium, controlled by the DevTools protocol over a pair of pipes.
///
/// Chromium reads messages from descriptor 3 and writes messages to descriptor 4. Each message ends with a zero byte.
///
/// Source: Chrome DevTools Protocol.
package final class Chromium: Sendable {
    /// The path of Chromium or Chrome in `/usr/bin`; nil if neither is there.
    package static let program: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    private struct State {
        var nextID = 0
        var answers: [Int: CheckedContinuation<JSON, any Error>] = [:]
        package var console: [String] = []
        package var requests: [String] = []
        /// The reason for which no more answers come; nil while Chromium and the page run.
        var ending: Failure?
    }

    /// The process; nil once it has been killed.
    private let identifier: Mutex<pid_t?>
    private let input: Int32
    private let output: Int32
    private let profile: TemporaryFolder
    private let state = Mutex(State())
    private let session = Mutex("")

    /// Starts Chromium with an empty page.
    package init() async throws {
        profile = try TemporaryFolder()
        var (down, up) = ([Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2))
        guard unsafe pipe(&down) == 0, unsafe pipe(&up) == 0 else { throw Failure("cannot make the pipes to Chromium") }
        for descriptor in [down[1], up[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        // Copies above descriptor 19, so that making descriptors 3 and 4 of them overwrites neither of the two ends.
        let (reads, writes) = (fcntl(down[0], F_DUPFD, 20), fcntl(up[1], F_DUPFD, 20))
        unsafe posix_spawn_file_actions_adddup2(&actions, reads, 3)
        unsafe posix_spawn_file_actions_adddup2(&actions, writes, 4)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // NIO does not mark its connections close-on-exec. Without this call, the connections would stay open while
        // Chromium runs.
        unsafe pip_spawn_close_from(&actions, 5)
        let arguments = [
            Self.program ?? "", "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            "--no-proxy-server", "--no-first-run", "--user-data-dir=\(profile.url.path)", "--remote-debugging-pipe",
            "--autoplay-policy=no-user-gesture-required", "about:blank",
        ]
        var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let status = unsafe posix_spawn(&identifier, Self.program ?? "", &actions, nil, &pointers, environ)
        unsafe posix_spawn_file_actions_destroy(&actions)
        for descriptor in [down[0], up[1], reads, writes] { close(descriptor) }
        guard status == 0 else { throw Failure("cannot start Chromium: error \(status)") }
        self.identifier = Mutex(identifier)
        (input, output) = (down[1], up[0])
        Thread.detachNewThread { [self] in read() }
        let targets = try await call("Target.getTargets", session: false)
        guard case .array(let infos)? = targets["targetInfos"],
            let page = infos.first(where: { $0["type"] == .string("page") }), let target = page["targetId"]
        else { throw Failure("Chromium has no page") }
        let attached = try await call(
            "Target.attachToTarget", .object(["targetId": target, "flatten": true]), session: false)
        guard case .string(let name)? = attached["sessionId"] else { throw Failure("the page has no session") }
        session.withLock { $0 = name }
        for domain in ["Page", "Runtime", "Log", "Network", "Inspector"] { try await call("\(domain).enable") }
    }

    deinit { quit() }

    /// Kills Chromium, and waits for its end; a second call does nothing.
    package func quit() {
        // Another process may have the identifier once Chromium's end has been waited for.
        guard let identifier = identifier.withLock({ $0.take() }) else { return }
        kill(identifier, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(identifier, &status, 0)
    }

    /// The exceptions, log entries and console messages that the page has reported.
    package var console: [String] { state.withLock { $0.console } }
    /// The URLs that the page has requested.
    package var requests: [String] { state.withLock { $0.requests } }

    // MARK: The page

    /// Opens a URL in the page.
    package func open(_ address: String) async throws {
        try await call("Page.navigate", .object(["url": address]))
    }

    /// Sets the size of the window, in pixels.
    ///
    /// The page is laid out as on a phone if `isPhone` is true.
    package func resize(_ width: Int, _ height: Int, isPhone: Bool = false) async throws {
        try await call(
            "Emulation.setDeviceMetricsOverride",
            .object(["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isPhone]))
    }

    /// Evaluates a JavaScript expression in the page, and returns its value.
    ///
    /// If the value is a promise, the call waits for its result.
    @discardableResult
    package func evaluate(_ expression: String) async throws -> JSON {
        let answer = try await call(
            "Runtime.evaluate",
            .object(["expression": expression, "returnByValue": true, "awaitPromise": true]))
        if let problem = answer["exceptionDetails"] { throw Failure("\(expression): \(problem.line)") }
        return answer["result"]?["value"] ?? .null
    }

    /// Waits until a JavaScript expression is true; throws ``Failure`` after `seconds`.
    package func wait(for expression: String, seconds: Int = 30) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
        // While a page is loading, it has no document, and evaluating fails.
        while (try? await evaluate("Boolean(\(expression))")) != .bool(true) {
            if let ending = state.withLock({ $0.ending }) { throw ending }
            guard ContinuousClock.now < deadline else {
                throw Failure("the expression was not true within \(seconds) s: \(expression)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The centre of an element, in window pixels.
    package func middle(of selector: String) async throws -> (x: Double, y: Double) {
        let value = try await evaluate(
            "(() => { const r = document.querySelector('\(selector)').getBoundingClientRect();"
                + " return [r.x + r.width / 2, r.y + r.height / 2] })()")
        guard case .array(let numbers) = value, numbers.count == 2 else { throw Failure("no element \(selector)") }
        return (Self.number(numbers[0]), Self.number(numbers[1]))
    }

    package static func number(_ value: JSON) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: .nan
        }
    }

    /// Drags with the left mouse button in twelve steps.
    package func drag(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) async throws {
        try await mouse("mouseMoved", start)
        try await mouse("mousePressed", start)
        for step in 1...12 {
            let share = Double(step) / 12
            try await mouse(
                "mouseMoved", (start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share), isDown: true)
            _ = try await evaluate("new Promise(requestAnimationFrame)")
        }
        try await mouse("mouseReleased", end)
    }

    package func click(_ selector: String) async throws {
        try await evaluate("document.querySelector('\(selector)').scrollIntoView({block: 'center'})")
        let place = try await middle(of: selector)
        try await mouse("mouseMoved", place)
        try await mouse("mousePressed", place)
        try await mouse("mouseReleased", place)
    }

    /// Double-clicks an element.
    ///
    /// The timestamps of the clicks are 0.1 s apart, however slow the browser is.
    package func doubleClick(_ selector: String) async throws {
        let place = try await middle(of: selector)
        let start = Date().timeIntervalSince1970
        try await mouse("mouseMoved", place)
        for click in 0..<2 {
            let time = start + Double(click) / 10
            try await mouse("mousePressed", place, clicks: click + 1, time: time)
            try await mouse("mouseReleased", place, clicks: click + 1, time: time + 0.05)
        }
    }

    private func mouse(
        _ type: String, _ place: (x: Double, y: Double), isDown: Bool = false, clicks: Int = 1, time: Double? = nil
    ) async throws {
        let isButton = type != "mouseMoved" || isDown
        var event = JSON.object([
            "type": type, "x": place.x, "y": place.y, "button": isButton ? "left" : "none",
            "buttons": isButton && type != "mouseReleased" ? 1 : 0, "clickCount": type == "mouseMoved" ? 0 : clicks,
        ])
        if let time { event.add("timestamp", time) }
        try await call("Input.dispatchMouseEvent", event)
    }

    /// Presses and releases a character key.
    package func press(_ key: String) async throws {
        for type in ["keyDown", "keyUp"] {
            try await call(
                "Input.dispatchKeyEvent",
                .object(["type": type, "key": key, "text": type == "keyDown" ? key : ""]))
        }
    }

    /// A screenshot of the window, as a PNG file.
    package func screenshot() async throws -> Data {
        let answer = try await call("Page.captureScreenshot", .object(["format": "png"]))
        guard case .string(let text)? = answer["data"], let data = Data(base64Encoded: text) else {
            throw Failure("Chromium has sent no screenshot")
        }
        return data
    }

    // MARK: Messages

    /// Calls a DevTools method on the page, or on the browser if `isPage` is false, and waits for the result.
    @discardableResult
    package func call(
        _ method: String, _ parameters: JSON = .object([]), session isPage: Bool = true
    ) async throws -> JSON {
        try await withCheckedThrowingContinuation { continuation in
            let (id, ending) = state.withLock { state in
                state.nextID += 1
                if state.ending == nil { state.answers[state.nextID] = continuation }
                return (state.nextID, state.ending)
            }
            if let ending { return continuation.resume(throwing: ending) }
            var message = JSON.object(["id": id, "method": method, "params": parameters])
            if isPage { message.add("sessionId", session.withLock { $0 }) }
            let bytes = Array(message.line.utf8) + [0]
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes[sent...].withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                sent += count
            }
        }
    }

    private func read() {
        var message: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe Glibc.read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            for byte in buffer[..<count] {
                if byte != 0 {
                    message.append(byte)
                    continue
                }
                if let value = JSON(reading: message) { take(value) }
                message.removeAll(keepingCapacity: true)
            }
        }
        end("Chromium has ended")
    }

    /// Fails the calls that wait for answers, and all later calls.
    private func end(_ reason: String) {
        let failure = Failure(reason)
        let waiting = state.withLock { state in
            defer { state.answers = [:] }
            state.ending = state.ending ?? failure
            return Array(state.answers.values)
        }
        for continuation in waiting { continuation.resume(throwing: failure) }
    }

    private func take(_ value: JSON) {
        if case .integer(let id)? = value["id"] {
            let continuation = state.withLock { $0.answers.removeValue(forKey: id) }
            if let error = value["error"] {
                continuation?.resume(throwing: Failure(error.line))
            } else {
                continuation?.resume(returning: value["result"] ?? .null)
            }
            return
        }
        guard case .string(let method)? = value["method"], let parameters = value["params"] else { return }
        if method == "Inspector.targetCrashed" { return end("the page has crashed") }
        state.withLock { state in
            switch method {
            case "Runtime.exceptionThrown": state.console.append(parameters["exceptionDetails"]?.line ?? "")
            case "Log.entryAdded": state.console.append(parameters["entry"]?.line ?? "")
            case "Runtime.consoleAPICalled": state.console.append(parameters.line)
            case "Network.requestWillBeSent":
                if case .string(let url)? = parameters["request"]?["url"] { state.requests.append(url) }
            default: break
            }
        }
    }
}
