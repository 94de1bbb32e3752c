package import PipCapture
package import PipConcurrency
package import PipFrames
package import SystemPackage

/// A kernel whose cameras follow a test's script.
///
/// The clock stands still until the test moves it. A clock in virtual time advances by itself, with all threads that
/// use it.
package final class FakeKernel: V4L2Calls {
    static let requests = Dictionary(uniqueKeysWithValues: V4L2Request.all.map { ($0.number, $0) })

    /// The time limit for conditions that must become true, with room for a busy machine.
    private static let patience = Duration.seconds(60)

    struct State {
        /// The time, if the test moves the clock.
        private var moved = Timestamp(nanoseconds: 1_000_000_000_000)
        let time: VirtualTime?
        var slept = Duration.zero
        var nodes: [String: FakeNode] = [:]
        var openNodes: [CInt: OpenNode] = [:]
        /// The device watches, and whether they have pending events.
        var watches: [CInt: Bool] = [:]
        var lastGeneration = 0
        /// The hanging calls, by path and name.
        var hanging: Set<String> = []
        /// The hanging calls that threads have made so far.
        var held: [String] = []
        var wakeUps: [CInt: Bool] = [:]
        var waiters: [CInt: Waiter] = [:]
        var nextDescriptor: CInt = 1_000_000
        var mappings: Set<Int> = []
        /// The descriptors of dma-bufs.
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

        /// Moves the clock, unless it advances by itself.
        mutating func advance(by duration: Duration) {
            assert(time == nil, "virtual time goes by itself")
            moved = moved.advanced(by: duration)
        }
    }

    /// A thread in `wait`, identified by its wake-up.
    struct Waiter {
        var device: CInt?
        /// The device watch that the thread also waits for.
        var watch: CInt?
        var deadline: Timestamp?
        var isParked = false
        /// True while the thread also waits for the device.
        var isWatching = false
        /// True while the thread waits for frames, and not only for the removal of the device.
        var expectsFrames = true
    }

    /// The node of a descriptor.
    ///
    /// A node that was plugged in again at the same path is another one.
    struct OpenNode {
        var path: String
        var generation: Int
    }

    /// The observer of every call before its answer.
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
    /// - Parameter clock: The kernel's clock. With virtual time the kernel follows it; with the machine's clock, tests
    ///   wait for threads.
    package init(clock: MonotonicClock = MonotonicClock()) {
        self.clock = clock
        state = Monitor(State(time: clock.virtual), clock: clock)
    }

    // MARK: For tests

    /// Passes every call with its argument to a function, before it is answered.
    ///
    /// - Parameter observer: The function, which must not use the kernel.
    @unsafe package func observe(_ observer: @escaping @Sendable (V4L2Request, UnsafeMutableRawPointer) -> Void) {
        state.update { unsafe $0.observer = Observer(see: observer) }
    }

    /// Plugs a camera in.
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

    /// Unplugs a camera: its node vanishes, and programs that have it open get `ENODEV`.
    package func unplug(_ path: String) {
        state.update { state in
            state.nodes[path]?.isGone = true
            state.statuses[path] = nil
            state.folders["/dev"]?.removeAll { "/dev/\($0)" == path }
            state.notifyWatches()
        }
    }

    /// Notifies all device watches.
    package func announceDevices() { state.update { $0.notifyWatches() } }

    /// The number of device watches.
    package var watchCount: Int { state.read { $0.watches.count } }

    /// Blocks until `count` device watches exist.
    ///
    /// - Returns: True when the condition became true in time.
    @discardableResult
    package func waitForWatches(_ count: Int = 1) -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { $0.watches.count >= count ? true : nil } ?? false
    }

    /// Makes a request, or `close`, on a node hang until ``release(_:)``.
    package func hang(_ call: String, on path: String) { state.update { _ = $0.hanging.insert("\(path) \(call)") } }

    /// Blocks until threads have made `count` calls that hang.
    ///
    /// - Returns: True when the condition became true in time.
    package func waitForHanging(_ count: Int) -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { $0.held.count >= count ? true : nil } ?? false
    }

    /// Ends all hanging calls on a node.
    package func release(_ path: String) {
        state.update { state in state.hanging = state.hanging.filter { !$0.hasPrefix("\(path) ") } }
    }

    package func setText(_ text: String, of path: String) { state.update { $0.texts[path] = text } }
    package func setLink(_ path: String, to target: String) { state.update { $0.links[path] = target } }
    package func setFolder(_ path: String, _ names: [String]) { state.update { $0.folders[path] = names } }
    package func setStatus(_ status: FileStatus, of path: String) { state.update { $0.statuses[path] = status } }

    /// Makes a call fail `times` times, after `skip` calls that succeed.
    package func fail(
        _ request: V4L2Request, on path: String, with errno: Errno, skip: Int = 0, times: Int = 1
    ) {
        state.update {
            $0.failures.append(
                Failure(request: request.number, path: path, errno: errno, skip: skip, times: times))
        }
    }

    /// Delivers a frame from a camera, if it streams.
    ///
    /// The frame is lost without a free buffer, as in a real driver.
    package func produce(_ path: String, _ frame: FakeFrame = FakeFrame()) {
        state.update { state in
            let now = state.now
            state.nodes[path]?.produce(frame, now: now)
        }
    }

    /// Delivers several frames from a camera before any thread can react.
    package func burst(_ path: String, _ frames: [FakeFrame]) {
        state.update { state in
            for frame in frames {
                state.advance(by: .milliseconds(1))
                let now = state.now
                state.nodes[path]?.produce(frame, now: now)
            }
        }
    }

    /// Makes a camera fail until `VIDIOC_STREAMOFF`, as `vb2_queue_error` does.
    package func breakStream(_ path: String) { state.update { $0.nodes[path]?.isBroken = true } }

    /// Changes the camera, as another program or a user may.
    package func change(_ path: String, _ body: (inout FakeCamera) -> Void) {
        state.update { state in if var node = state.nodes[path] { body(&node.camera); state.nodes[path] = node } }
    }

    /// Changes the signal at a digital input, and notifies the driver's subscribers.
    package func changeSignal(_ path: String, _ body: (inout FakeCamera) -> Void) {
        change(path, body)
        state.update { $0.nodes[path]?.hasSourceChange = true }
    }

    /// Moves the clock.
    package func advance(by duration: Duration) { state.update { $0.advance(by: duration) } }

    /// Suspends the machine: the clock stands still, and no thread runs.
    ///
    /// - Parameters:
    ///   - duration: The time asleep.
    ///   - frames: The frames that a camera had delivered just before, and nobody had taken.
    ///   - path: The camera's node.
    package func sleep(for duration: Duration, leaving frames: [FakeFrame] = [], at path: String = "") {
        state.update { state in
            let now = state.now
            for frame in frames { state.nodes[path]?.produce(frame, now: now) }
            state.slept += duration
        }
    }

    /// Blocks until every streaming thread waits.
    ///
    /// - Returns: True when the condition became true in time.
    @discardableResult
    package func settle() -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { state -> Bool? in state.isSettled ? true : nil } ?? false
    }

    /// Blocks until a thread waits for the time alone, and not for its device.
    ///
    /// - Returns: True when the condition became true in time.
    package func waitForPause() -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { state -> Bool? in
            state.waiters.values.contains { $0.isParked && !$0.isWatching } ? true : nil
        } ?? false
    }

    /// Blocks until no descriptor is open.
    ///
    /// - Returns: True when the condition became true in time.
    package func waitUntilClosed() -> Bool {
        let deadline = clock.now.advanced(by: Self.patience)
        return state.wait(until: deadline) { $0.openNodes.isEmpty && $0.wakeUps.isEmpty ? true : nil } ?? false
    }

    /// The names of the calls on a node since the last query.
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
    /// The present size of a camera; nil when it is absent.
    package func size(of path: String) -> PixelSize? { state.read { $0.nodes[path]?.size } }

    package func isStreaming(_ path: String) -> Bool { state.read { $0.nodes[path]?.isStreaming == true } }

    package func controlValue(_ id: UInt32, of path: String) -> Int? {
        state.read { $0.nodes[path]?.camera.controls.first { $0.id == id }?.value }
    }

    /// Changes a control's value, as the camera itself does.
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
