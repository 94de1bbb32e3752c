package import PipCapture
package import PipConcurrency
package import PipFrames
package import SystemPackage

/// A fake kernel, whose cameras a test controls.
///
/// The clock stands still until the test moves it. With virtual time, the clock follows the threads that use it.
package final class FakeKernel: V4L2Calls {
    static let requests = Dictionary(uniqueKeysWithValues: V4L2Request.all.map { ($0.number, $0) })

    /// The longest wait for a condition, which is generous because the machine may be busy.
    private static let patience = Duration.seconds(60)

    struct State {
        /// The current time of a kernel without virtual time, which the test moves.
        private var moved = Timestamp(nanoseconds: 1_000_000_000_000)
        let time: VirtualTime?
        var slept = Duration.zero
        var nodes: [String: FakeNode] = [:]
        var openNodes: [CInt: OpenNode] = [:]
        /// The device watches, keyed by descriptor; true for a watch with an unread event.
        var watches: [CInt: Bool] = [:]
        var lastGeneration = 0
        /// The calls that hang, as `PATH NAME`.
        var hanging: Set<String> = []
        /// The hanging calls that threads have made, as `PATH NAME`.
        var held: [String] = []
        var wakeUps: [CInt: Bool] = [:]
        var waiters: [CInt: Waiter] = [:]
        var nextDescriptor: CInt = 1_000_000
        var mappings: Set<Int> = []
        /// The descriptors of exported dma-bufs.
        var exports: Set<CInt> = []
        var texts: [String: String] = [:]
        var links: [String: String] = [:]
        var folders: [String: [String]] = [:]
        var statuses: [String: FileStatus] = [:]
        var failures: [Failure] = []
        var trace: [(path: String, call: String)] = []
        var observer: Observer?

        init(time: VirtualTime?) { self.time = time }

        var now: Timestamp { time?.now ?? moved }

        /// Moves the clock forward; must not be called in virtual time, which moves by itself.
        mutating func advance(by duration: Duration) {
            assert(time == nil, "virtual time goes by itself")
            moved = moved.advanced(by: duration)
        }
    }

    /// The state of a thread that waits.
    struct Waiter {
        var device: CInt?
        /// The device watch for whose events the thread waits; nil for none.
        var watch: CInt?
        var deadline: Timestamp?
        var isParked = false
        /// True while the thread waits for events of the device.
        var isWatching = false
        /// False while the thread waits only for events and the removal of the device, and not for frames.
        var expectsFrames = true
    }

    /// The node that a descriptor refers to.
    ///
    /// A node that is plugged in again at the same path has another generation.
    struct OpenNode {
        var path: String
        var generation: Int
    }

    /// A test's function that sees every request before the fake kernel answers.
    @safe struct Observer: Sendable {
        let see: @Sendable (V4L2Request, UnsafeMutableRawPointer) -> Void
    }

    struct Failure {
        var request: UInt
        var path: String
        var errno: Errno
        var skip: Int
        var times: Int
    }

    let state: Monitor<State>
    package let clock: MonotonicClock

    /// Creates a kernel without cameras.
    ///
    /// - Parameter clock: The clock. If it has virtual time, the fake kernel uses that time. Otherwise tests move the
    ///   time, and wait for threads by the machine's clock.
    package init(clock: MonotonicClock = MonotonicClock()) {
        self.clock = clock
        state = Monitor(State(time: clock.virtual), clock: clock)
    }

    // MARK: Functions for tests

    /// Calls a function for every request, before the fake kernel answers.
    ///
    /// - Parameter observer: Receives the request and its argument. The function must not use the fake kernel.
    @unsafe package func observe(_ observer: @escaping @Sendable (V4L2Request, UnsafeMutableRawPointer) -> Void) {
        state.update { unsafe $0.observer = Observer(see: observer) }
    }

    /// Plugs a camera in at a path such as `/dev/video0`.
    package func add(_ path: String, _ camera: FakeCamera = FakeCamera()) {
        let name = String(path.split(separator: "/").last ?? "")
        let sysfs = "/sys/class/video4linux/\(name)"
        state.update { state in
            state.lastGeneration += 1
            state.nodes[path] = FakeNode(camera)
            state.nodes[path]?.generation = state.lastGeneration
            state.notifyWatches()
            state.folders["/dev", default: []].append(name)
            state.statuses[path] = FileStatus(kind: .characterDevice, groupID: camera.groupID, mode: camera.mode)
            state.texts["\(sysfs)/index"] = String(camera.index)
            state.links[sysfs] = camera.sysfsLink
            for file in ["idVendor", "idProduct", "serial", "manufacturer", "product"] {
                state.texts["\(sysfs)/device/../\(file)"] = nil
            }
            guard let usb = camera.usb else { return }
            state.texts["\(sysfs)/device/../idVendor"] = usb.vendor
            state.texts["\(sysfs)/device/../idProduct"] = usb.product
            state.texts["\(sysfs)/device/../serial"] = usb.serial
            state.texts["\(sysfs)/device/../manufacturer"] = usb.manufacturer
            state.texts["\(sysfs)/device/../product"] = usb.name
        }
    }

    /// Unplugs a camera: its node vanishes, and calls on open descriptors fail with `ENODEV`.
    package func unplug(_ path: String) {
        state.update { state in
            state.nodes[path]?.isGone = true
            state.statuses[path] = nil
            state.folders["/dev"]?.removeAll { "/dev/\($0)" == path }
            state.notifyWatches()
        }
    }

    /// Makes all device watches report an event.
    package func announceDevices() { state.update { $0.notifyWatches() } }

    /// The number of device watches.
    package var watchCount: Int { state.read { $0.watches.count } }

    /// Blocks until at least `count` device watches exist.
    ///
    /// - Returns: False if a minute passes first.
    @discardableResult
    package func waitForWatches(_ count: Int = 1) -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { $0.watches.count >= count ? true : nil } ?? false
    }

    /// Makes a request or `close` hang on a node until ``release(_:)`` is called.
    package func hang(_ call: String, on path: String) { state.update { _ = $0.hanging.insert("\(path) \(call)") } }

    /// Blocks until threads have made at least `count` calls that hang.
    ///
    /// - Returns: False if a minute passes first.
    package func waitForHanging(_ count: Int) -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { $0.held.count >= count ? true : nil } ?? false
    }

    /// Lets all hanging calls on a node return.
    package func release(_ path: String) {
        state.update { state in state.hanging = state.hanging.filter { !$0.hasPrefix("\(path) ") } }
    }

    package func setText(_ text: String, of path: String) { state.update { $0.texts[path] = text } }
    package func setLink(_ path: String, to target: String) { state.update { $0.links[path] = target } }
    package func setFolder(_ path: String, _ names: [String]) { state.update { $0.folders[path] = names } }
    package func setStatus(_ status: FileStatus, of path: String) { state.update { $0.statuses[path] = status } }

    /// Makes a request fail `times` times, after `skip` successful calls.
    package func fail(
        _ request: V4L2Request, on path: String, with errno: Errno, skip: Int = 0, times: Int = 1
    ) {
        state.update {
            $0.failures.append(
                Failure(request: request.number, path: path, errno: errno, skip: skip, times: times))
        }
    }

    /// Makes a streaming camera deliver a frame.
    ///
    /// As with a real driver, the frame is lost if no buffer is queued.
    package func produce(_ path: String, _ frame: FakeFrame = FakeFrame()) {
        state.update { state in
            let now = state.now
            state.nodes[path]?.produce(frame, now: now)
        }
    }

    /// Makes a camera deliver several frames, 1 ms apart, before any thread can react.
    ///
    /// Must not be called in virtual time.
    package func burst(_ path: String, _ frames: [FakeFrame]) {
        state.update { state in
            for frame in frames {
                state.advance(by: .milliseconds(1))
                let now = state.now
                state.nodes[path]?.produce(frame, now: now)
            }
        }
    }

    /// Makes a node's stream fail until `VIDIOC_STREAMOFF`, as `vb2_queue_error` does in the kernel.
    package func breakStream(_ path: String) { state.update { $0.nodes[path]?.isBroken = true } }

    /// Changes the properties of a camera, as another program or a user might.
    package func change(_ path: String, _ body: (inout FakeCamera) -> Void) {
        state.update { state in if var node = state.nodes[path] { body(&node.camera); state.nodes[path] = node } }
    }

    /// Changes the signal at a digital input, and sends the event of a source change.
    package func changeSignal(_ path: String, _ body: (inout FakeCamera) -> Void) {
        change(path, body)
        state.update { $0.nodes[path]?.hasSourceChange = true }
    }

    /// Moves the clock forward; must not be called in virtual time.
    package func advance(by duration: Duration) { state.update { $0.advance(by: duration) } }

    /// Suspends the machine: the clock stands still, and only ``slept`` advances.
    ///
    /// - Parameters:
    ///   - duration: The time for which the machine sleeps.
    ///   - frames: The frames that a camera delivers just before the machine sleeps, and that no thread has taken yet.
    ///   - path: The node of that camera.
    package func sleep(for duration: Duration, leaving frames: [FakeFrame] = [], at path: String = "") {
        state.update { state in
            let now = state.now
            for frame in frames { state.nodes[path]?.produce(frame, now: now) }
            state.slept += duration
        }
    }

    /// Blocks until all threads of streaming cameras and of device watches are waiting, or hang in a call.
    ///
    /// - Returns: False if a minute passes first.
    @discardableResult
    package func settle() -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { state -> Bool? in state.isSettled ? true : nil } ?? false
    }

    /// Blocks until a thread waits without watching a camera's node, for example until a time.
    ///
    /// - Returns: False if a minute passes first.
    package func waitForPause() -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { state -> Bool? in
            state.waiters.values.contains { $0.isParked && !$0.isWatching } ? true : nil
        } ?? false
    }

    /// Blocks until all descriptors of nodes and of wake-ups are closed.
    ///
    /// - Returns: False if a minute passes first.
    package func waitUntilClosed() -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { $0.openNodes.isEmpty && $0.wakeUps.isEmpty ? true : nil } ?? false
    }

    /// The names of the requests and the `close` calls on a node since the previous call of this function.
    package func takeTrace(of path: String) -> [String] {
        state.update { state in
            let calls = state.trace.filter { $0.path == path }.map(\.call)
            state.trace.removeAll { $0.path == path }
            return calls
        }
    }

    package var openDescriptorCount: Int { state.read { $0.openNodes.count + $0.wakeUps.count } }
    package var exportCount: Int { state.read { $0.exports.count } }
    package var mappingCount: Int { state.read { $0.mappings.count } }
    /// The current frame size of a camera; nil for a path without a node.
    package func size(of path: String) -> PixelSize? { state.read { $0.nodes[path]?.size } }

    package func isStreaming(_ path: String) -> Bool { state.read { $0.nodes[path]?.isStreaming == true } }

    package func controlValue(_ id: UInt32, of path: String) -> Int? {
        state.read { $0.nodes[path]?.camera.controls.first { $0.id == id }?.value }
    }

    /// Changes the value of a control, as the camera's automatic functions do.
    ///
    /// Sends the event about the change if the program has subscribed to it.
    package func setControl(_ id: UInt32, to value: Int, of path: String) {
        state.update { state in
            guard let index = state.nodes[path]?.camera.controls.firstIndex(where: { $0.id == id }) else { return }
            state.nodes[path]?.camera.controls[index].value = value
            if state.nodes[path]?.subscribed.contains(id) == true {
                state.nodes[path]?.controlChanges.append((id, value))
            }
        }
    }

    // MARK: Files

    package var now: Timestamp { state.read { $0.now } }
    package var slept: Duration { state.read { $0.slept } }

    package func status(of path: String) throws(Errno) -> FileStatus {
        guard let status = state.read({ $0.statuses[path] }) else { throw .noSuchFileOrDirectory }
        return status
    }

    package func names(in folder: String) -> [String] { state.read { $0.folders[folder] ?? [] } }
    package func target(ofLink path: String) -> String? { state.read { $0.links[path] } }
    package func text(of path: String) -> String? { state.read { $0.texts[path] } }
}
