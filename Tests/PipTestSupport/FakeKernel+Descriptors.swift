internal import CV4L2
internal import Glibc
package import PipCapture
internal import PipConcurrency
internal import PipFrames
package import SystemPackage

extension FakeKernel {
    package func open(_ path: String) throws(Errno) -> CInt {
        try state.update { (state) throws(Errno) in
            guard let node = state.nodes[path], !node.isGone else { throw .noSuchFileOrDirectory }
            if let error = node.camera.openError { throw error }
            return state.makeDescriptor { $0.openNodes[$1] = OpenNode(path: path, generation: node.generation) }
        }
    }

    package func close(_ descriptor: CInt) {
        waitWhileHanging(descriptor, "close")
        state.update { state in
            if let open = state.openNodes.removeValue(forKey: descriptor) {
                state.nodes[open.path]?.camera.loopback?.close(descriptor)
                if state.nodes[open.path]?.owner == descriptor { state.nodes[open.path]?.releaseBuffers() }
                state.trace.append((open.path, "close"))
            }
            state.exports.remove(descriptor)
            state.watches[descriptor] = nil
            state.wakeUps[descriptor] = nil
            state.waiters[descriptor] = nil
        }
    }

    package func makeWakeUp() throws(Errno) -> CInt {
        state.update { state in state.makeDescriptor { $0.wakeUps[$1] = false } }
    }

    package func wake(_ wakeUp: CInt) { state.update { $0.wakeUps[wakeUp] = true } }

    package func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness {
        wait(device: device, expectsFrames: true, wakeUp: wakeUp, timeout: timeout)
    }

    package func waitIdle(device: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness {
        wait(device: device, expectsFrames: false, wakeUp: wakeUp, timeout: timeout)
    }

    private func wait(device: CInt?, expectsFrames: Bool, wakeUp: CInt, timeout: Duration?) -> Readiness {
        let deadline = state.update { state in
            let isNode = device.map { state.watches[$0] == nil } ?? false
            state.waiters[wakeUp] = Waiter(
                device: isNode ? device : state.waiters[wakeUp]?.device, watch: isNode ? nil : device,
                deadline: timeout.map { state.now.advanced(by: $0) }, isParked: true)
            state.waiters[wakeUp]?.isWatching = isNode
            state.waiters[wakeUp]?.expectsFrames = expectsFrames
            return state.time == nil ? nil : state.waiters[wakeUp]?.deadline
        }
        return state.wait(until: deadline) { state -> Readiness? in
            guard let readiness = state.readiness(of: wakeUp) else { return nil }
            state.waiters[wakeUp]?.isParked = false
            state.wakeUps[wakeUp] = false
            return readiness
        } ?? []
    }

    package func watchDevices() -> (any DeviceWatch)? {
        FakeWatch(kernel: self, descriptor: state.update { state in state.makeDescriptor { $0.watches[$1] = false } })
    }

    /// Blocks the calling thread while a test makes `call` hang on the node.
    private func waitWhileHanging(_ descriptor: CInt, _ call: String) {
        let held = state.update { state -> String? in
            guard let open = state.openNodes[descriptor], state.hanging.contains("\(open.path) \(call)") else {
                return nil
            }
            state.held.append("\(open.path) \(call)")
            return state.held.last
        }
        guard let held else { return }
        _ = state.wait { $0.hanging.contains(held) ? nil : true }
    }

    @unsafe package func map(
        _ descriptor: CInt, length: Int, offset: Int
    ) throws(Errno)
        -> UnsafeMutableRawBufferPointer
    {
        try unsafe state.update { (state) throws(Errno) in
            guard let path = state.openNodes[descriptor]?.path,
                let plane = state.nodes[path]?.plane(atOffset: offset)
            else { throw .invalidArgument }
            if let errno = state.takeFailure(of: 0, on: path) { throw errno }
            let pages = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { throw .noMemory }
            let memory = unsafe UnsafeMutableRawBufferPointer(start: pages, count: length)
            state.mappings.insert(Int(bitPattern: memory.baseAddress))
            unsafe state.nodes[path]?.buffers[plane.buffer].planes[plane.plane].memory = unsafe memory
            return unsafe memory
        }
    }

    @unsafe package func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        state.update { state in
            state.mappings.remove(Int(bitPattern: memory.baseAddress))
            for path in state.nodes.keys { unsafe state.nodes[path]?.forget(memory) }
        }
        _ = unsafe munmap(memory.baseAddress, memory.count)
    }

    @unsafe package func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        let known = Self.requests[request]
        let name = known?.name ?? "ioctl \(request)"
        waitWhileHanging(descriptor, name)
        return state.update { state in
            guard let open = state.openNodes[descriptor] else { return -Errno.badFileDescriptor.rawValue }
            let path = open.path
            state.trace.append((path, name))
            if let known { unsafe state.observer?.see(known, argument) }
            if state.isGone(open) { return -Errno.noDevice.rawValue }
            if let errno = state.takeFailure(of: request, on: path) { return -errno.rawValue }
            if request == V4L2Request.exportBuffer.number {
                return unsafe state.export(path, &argument.assumingMemoryBound(to: v4l2_exportbuffer.self).pointee)
            }
            return unsafe state.nodes[path]?.answer(descriptor, request, argument) ?? -Errno.badFileDescriptor.rawValue
        }
    }

    /// Makes the next `mmap` of a node's buffer fail.
    package func failMapping(on path: String, with errno: Errno) {
        state.update { $0.failures.append(Failure(request: 0, path: path, errno: errno, skip: 0, times: 1)) }
    }
}

extension FakeKernel.State {
    mutating func makeDescriptor(_ register: (inout Self, CInt) -> Void) -> CInt {
        nextDescriptor += 1
        register(&self, nextDescriptor)
        return nextDescriptor
    }

    fileprivate mutating func export(_ path: String, _ request: inout v4l2_exportbuffer) -> CInt {
        guard let node = nodes[path], Int(request.index) < node.camera.exportLimit,
            node.buffers.indices.contains(Int(request.index)),
            node.buffers[Int(request.index)].planes.indices.contains(Int(request.plane))
        else { return -Errno.invalidArgument.rawValue }
        request.fd = makeDescriptor { $0.exports.insert($1) }
        return 0
    }

    mutating func takeFailure(of request: UInt, on path: String) -> Errno? {
        guard let index = failures.firstIndex(where: { $0.request == request && $0.path == path }) else { return nil }
        if failures[index].skip > 0 {
            failures[index].skip -= 1
            return nil
        }
        failures[index].times -= 1
        let errno = failures[index].errno
        if failures[index].times == 0 { failures.remove(at: index) }
        return errno
    }

    /// The reasons for which a waiting thread must return; nil while the thread must wait.
    ///
    /// Empty if only the thread's deadline has passed, or no thread waits.
    func readiness(of wakeUp: CInt) -> Readiness? {
        guard let waiter = waiters[wakeUp] else { return [] }
        var readiness: Readiness = []
        if wakeUps[wakeUp] == true { readiness.insert(.woken) }
        if waiter.isWatching, let device = waiter.device {
            if let open = openNodes[device], let node = nodes[open.path], !isGone(open) {
                if node.hasSourceChange || !node.controlChanges.isEmpty { readiness.insert(.event) }
                if waiter.expectsFrames {
                    if !node.done.isEmpty { readiness.insert(.readable) }
                    if node.isBroken || !node.isStreaming { readiness.insert(.failed) }
                }
            } else {
                // The kernel reports EPOLLERR, EPOLLHUP and EPOLLPRI for a vanished device.
                readiness.formUnion([.failed, .event])
            }
        }
        if let watch = waiter.watch, watches[watch] == true { readiness.insert(.readable) }
        if !readiness.isEmpty { return readiness }
        return waiter.deadline.map { now >= $0 } == true ? [] : nil
    }

    /// True if the node of a descriptor was unplugged, even if another node is plugged in at the same path.
    func isGone(_ open: FakeKernel.OpenNode) -> Bool {
        nodes[open.path].map { $0.isGone || $0.generation != open.generation } ?? true
    }

    mutating func notifyWatches() { for watch in watches.keys { watches[watch] = true } }

    /// True if each streaming node and each device watch has a thread, and none of the threads can go on.
    var isSettled: Bool {
        for (path, node) in nodes where node.isStreaming && !node.isGone {
            guard waiters.values.contains(where: { $0.device.flatMap { openNodes[$0]?.path } == path })
            else { return false }
        }
        for watch in watches.keys where !waiters.values.contains(where: { $0.watch == watch }) { return false }
        return waiters.allSatisfy { wakeUp, waiter in
            if let device = waiter.device {
                guard let open = openNodes[device] else { return true }
                if hanging.contains(where: { $0.hasPrefix("\(open.path) ") }) { return true }
            }
            return waiter.isParked && readiness(of: wakeUp) == nil
        }
    }
}

/// A device watch that the fake kernel notifies when a test plugs or unplugs a camera.
private final class FakeWatch: DeviceWatch {
    let descriptor: CInt
    private let kernel: FakeKernel

    init(kernel: FakeKernel, descriptor: CInt) {
        self.kernel = kernel
        self.descriptor = descriptor
    }

    deinit { kernel.close(descriptor) }

    func drain() -> Bool {
        kernel.state.update { state in
            defer { state.watches[descriptor] = false }
            return state.watches[descriptor] == true
        }
    }
}
