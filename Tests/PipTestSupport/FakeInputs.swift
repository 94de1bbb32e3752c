import Glibc
import PipConcurrency
package import PipFrames
package import PipInputs
import Synchronization
package import SystemPackage

/// Input devices whose events a test writes, through sockets in place of the kernel's nodes.
package final class FakeInputs: InputDevices {
    /// A device as the kernel shows it.
    private struct Node {
        /// The name of an event device, or the label of a GPIO chip.
        var name = ""
        var keys: Set<KeyCode> = []
        var lines: UInt32?
        /// The lines with a name or a user.
        var named: [GPIOLine] = []
        var refusal: Errno?
        /// The messages that the reader of a bus requests; nil for another device.
        var filters: [CANRequest.Filter]?
        /// The ends of sockets to which events are written, one for each open descriptor.
        var writers: [CInt] = []
        var isGrabbed = false
    }

    private struct State {
        var nodes: [String: Node] = [:]
        /// The paths of open descriptors.
        var paths: [CInt: String] = [:]
    }

    package let root: String
    private let state = Mutex(State())

    /// Creates devices.
    ///
    /// - Parameter root: The folder in place of `/` for the files of sysfs.
    package init(root: String = "/nowhere") { self.root = root.hasSuffix("/") ? root : root + "/" }

    // MARK: The test's side

    /// Plugs in an event device; with a refusal, each attempt to open the device fails.
    package func plug(_ path: String, _ name: String, _ keys: [String], refusal: Errno? = nil) {
        let node = Node(name: name, keys: Set(keys.compactMap { KeyCode($0) }), refusal: refusal)
        state.withLock { $0.nodes[path] = node }
    }

    /// Adds a GPIO chip; with a refusal, each request of a line fails.
    package func add(chip path: String, label: String, lines: UInt32, refusal: Errno? = nil) {
        state.withLock { $0.nodes[path] = Node(name: label, lines: lines, refusal: refusal) }
    }

    /// Gives lines of a chip names and users.
    package func name(_ lines: [GPIOLine], of chip: String) {
        state.withLock { $0.nodes[chip]?.named = lines }
    }

    /// Adds a CAN bus; with a refusal, each attempt to open the bus fails.
    package func add(bus interface: String, refusal: Errno? = nil) {
        state.withLock { $0.nodes[interface] = Node(refusal: refusal, filters: []) }
    }

    /// Takes a device away: whoever reads it gets an error.
    package func unplug(_ path: String) {
        let node = state.withLock { $0.nodes.removeValue(forKey: path) }
        for writer in node?.writers ?? [] { close(writer) }
    }

    /// `struct input_event`, as `linux/input.h` has it.
    private struct KeyEvent {
        let (seconds, microseconds): (Int, Int)
        let (type, code): (UInt16, UInt16)
        let value: Int32
    }

    /// `struct gpio_v2_line_event`, as `linux/gpio.h` has it.
    private struct LineEvent {
        let nanoseconds: UInt64
        let id: UInt32
        let rest = InlineArray<9, UInt32>(repeating: 0)
    }

    /// Writes the event of a key: 1 for a press, 0 for a release, 2 for a repetition.
    package func send(_ value: Int32, of key: String, to path: String, at time: Timestamp) {
        let nanoseconds = Int(time.nanoseconds)
        let event = KeyEvent(
            seconds: nanoseconds / 1_000_000_000, microseconds: nanoseconds % 1_000_000_000 / 1000, type: 1,
            code: KeyCode(key)?.number ?? 0, value: value)
        write(event, to: path)
    }

    /// Writes the event of a line: 1 for a rising edge, 2 for a falling one.
    package func setLine(active isActive: Bool, of path: String, at time: Timestamp) {
        write(LineEvent(nanoseconds: UInt64(time.nanoseconds), id: isActive ? 1 : 2), to: path)
    }

    private func write<Event: BitwiseCopyable>(_ event: Event, to path: String) {
        for writer in state.withLock({ $0.nodes[path]?.writers ?? [] }) {
            _ = unsafe withUnsafeBytes(of: event) {
                unsafe Glibc.send(writer, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
        }
    }

    /// Sends a message on a bus, in the form of `struct can_frame` or, from nine bytes on, `struct canfd_frame`.
    ///
    /// The reader gets what passes its filters, as from the kernel.
    package func send(_ identifier: UInt32, _ bytes: [UInt8], to interface: String, isError: Bool = false) {
        let filters = state.withLock { $0.nodes[interface]?.filters ?? [] }
        guard isError || filters.contains(where: { ($0.identifier ^ identifier) & $0.mask == 0 }) else { return }
        let head = (0..<4).map { UInt8(truncatingIfNeeded: identifier >> ($0 * 8)) } + [UInt8(bytes.count), 0, 0, 0]
        let frame = head + bytes + [UInt8](repeating: 0, count: (bytes.count > 8 ? 64 : 8) - bytes.count)
        for writer in state.withLock({ $0.nodes[interface]?.writers ?? [] }) {
            _ = unsafe Glibc.send(writer, frame, frame.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// True while an event device has been taken for one descriptor alone.
    package func isGrabbed(_ path: String) -> Bool { state.withLock { $0.nodes[path]?.isGrabbed ?? false } }

    /// The number of descriptors of a device that are read at present.
    package func readers(of path: String) -> Int {
        state.withLock { $0.nodes[path]?.writers ?? [] }.count { writer in
            var polled = pollfd(fd: writer, events: 0, revents: 0)
            return unsafe poll(&polled, 1, 0) == 0
        }
    }

    /// True while events of a device wait to be read.
    package func isPending(in path: String) -> Bool {
        state.withLock { $0.nodes[path]?.writers ?? [] }.contains { writer in
            var count: CInt = 0
            _ = unsafe ioctl(writer, UInt(TIOCOUTQ), &count)
            return count > 0
        }
    }

    // MARK: The reader's side

    package func keyDevices() -> [(path: String, name: String)] {
        state.withLock { state in
            state.nodes.filter { $0.value.lines == nil && $0.value.filters == nil }.sorted { $0.key < $1.key }.map {
                ($0.key, $0.value.name)
            }
        }
    }

    package func open(_ path: String) throws(Errno) -> InputDescriptor {
        if path.hasPrefix(root) { return try KernelInputs().open(path) }
        let node = state.withLock { $0.nodes[path] }
        guard let node else { throw Errno.noSuchFileOrDirectory }
        if node.lines == nil, let refusal = node.refusal { throw refusal }
        return socket(path, hasEvents: node.lines == nil)
    }

    /// Opens a socket as a descriptor of a device.
    private func socket(_ path: String, hasEvents: Bool, kind: __socket_type = SOCK_STREAM) -> InputDescriptor {
        var ends: [CInt] = [-1, -1]
        let kind = kind.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        _ = unsafe socketpair(AF_UNIX, CInt(kind), 0, &ends)
        state.withLock { state in
            if hasEvents { state.nodes[path]?.writers.append(ends[1]) }
            state.paths[ends[0]] = path
        }
        if !hasEvents { close(ends[1]) }
        return InputDescriptor(ends[0])
    }

    package func bus(_ request: CANRequest) throws(Errno) -> InputDescriptor {
        let node = state.withLock { state in
            state.nodes[request.interface]?.filters = request.filters
            return state.nodes[request.interface]
        }
        guard let node, node.filters != nil else { throw Errno.noSuchAddressOrDevice }
        if let refusal = node.refusal { throw refusal }
        return socket(request.interface, hasEvents: true, kind: SOCK_SEQPACKET)
    }

    private func node(of device: InputDescriptor) -> Node {
        state.withLock { state in state.paths[device.number].flatMap { state.nodes[$0] } ?? Node() }
    }

    package func keys(of device: InputDescriptor) throws(Errno) -> Set<KeyCode> { node(of: device).keys }

    package func select(_ keys: Set<KeyCode>, of device: InputDescriptor) throws(Errno) {}

    package func grab(_ device: InputDescriptor) throws(Errno) {
        state.withLock { state in
            if let path = state.paths[device.number] { state.nodes[path]?.isGrabbed = true }
        }
    }

    package func chips() -> [String] {
        state.withLock { state in state.nodes.filter { $0.value.lines != nil }.map(\.key).sorted() }
    }

    package func describe(_ chip: InputDescriptor) throws(Errno) -> (label: String, lines: UInt32) {
        let node = node(of: chip)
        guard let lines = node.lines else { throw Errno.inappropriateIOCTLForDevice }
        return (node.name, lines)
    }

    package func line(_ number: UInt32, of chip: InputDescriptor) throws(Errno) -> GPIOLine {
        let node = node(of: chip)
        let user = node.refusal == nil ? nil : "button"
        return node.named.first { $0.number == number } ?? GPIOLine(number: number, name: "", user: user)
    }

    package func request(_ line: LineRequest, _ chip: InputDescriptor) throws(Errno) -> InputDescriptor {
        if let refusal = node(of: chip).refusal { throw refusal }
        guard let path = state.withLock({ $0.paths[chip.number] }) else { throw Errno.noSuchFileOrDirectory }
        return socket(path, hasEvents: true)
    }
}
