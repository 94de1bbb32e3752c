package import PipCapture
internal import PipConcurrency
internal import PipFrames
package import SystemPackage

extension FakeKernel {
    package func open(_ path: String) throws(Errno) -> CInt {
        try state.update { (state) throws(Errno) in
            guard let node = state.nodes[path], !node.isGone else { throw .noSuchFileOrDirectory }
            if let error = node.camera.openError { throw error }
            return state.makeDescriptor { $0.openNodes[$1] = path }
        }
    }

    package func close(_ descriptor: CInt) {
        state.update { state in
            if let path = state.openNodes.removeValue(forKey: descriptor) {
                if state.nodes[path]?.owner == descriptor { state.nodes[path]?.releaseBuffers() }
                state.trace.append((path, "close"))
            }
            state.wakeUps[descriptor] = nil
            state.waiters[descriptor] = nil
        }
    }

    package func makeWakeUp() throws(Errno) -> CInt {
        state.update { state in state.makeDescriptor { $0.wakeUps[$1] = false } }
    }

    package func wake(_ wakeUp: CInt) { state.update { $0.wakeUps[wakeUp] = true } }

    package func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness {
        state.update { state in
            state.waiters[wakeUp] = Waiter(
                device: device ?? state.waiters[wakeUp]?.device, deadline: timeout.map { state.now.advanced(by: $0) },
                isParked: true)
            state.waiters[wakeUp]?.isWatching = device != nil
        }
        return state.wait { state -> Readiness? in
            guard let readiness = state.readiness(of: wakeUp) else { return nil }
            state.waiters[wakeUp]?.isParked = false
            state.wakeUps[wakeUp] = false
            return readiness
        } ?? []
    }

    @unsafe package func map(
        _ descriptor: CInt, length: Int, offset: Int
    ) throws(Errno)
        -> UnsafeMutableRawBufferPointer
    {
        try unsafe state.update { (state) throws(Errno) in
            guard let path = state.openNodes[descriptor], let plane = state.nodes[path]?.plane(atOffset: offset)
            else { throw .invalidArgument }
            if let errno = state.takeFailure(of: 0, on: path) { throw errno }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 4096)
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
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
        unsafe memory.deallocate()
    }

    @unsafe package func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        state.update { state in
            guard let path = state.openNodes[descriptor] else { return -Errno.badFileDescriptor.rawValue }
            let name = V4L2Request.all.first { $0.number == request }?.name ?? "ioctl \(request)"
            state.trace.append((path, name))
            if state.nodes[path]?.isGone == true { return -Errno.noDevice.rawValue }
            if let errno = state.takeFailure(of: request, on: path) { return -errno.rawValue }
            return unsafe state.nodes[path]?.answer(descriptor, request, argument) ?? -Errno.badFileDescriptor.rawValue
        }
    }

    /// Makes mapping memory of a node fail, once.
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

    /// Why a waiting thread goes on; nil while it waits.
    func readiness(of wakeUp: CInt) -> Readiness? {
        guard let waiter = waiters[wakeUp] else { return [] }
        var readiness: Readiness = []
        if wakeUps[wakeUp] == true { readiness.insert(.woken) }
        if waiter.isWatching, let device = waiter.device {
            if let path = openNodes[device], let node = nodes[path] {
                if !node.done.isEmpty { readiness.insert(.readable) }
                if node.isGone || node.isBroken || !node.isStreaming { readiness.insert(.failed) }
            } else {
                readiness.insert(.failed)
            }
        }
        if !readiness.isEmpty { return readiness }
        return waiter.deadline.map { now >= $0 } == true ? [] : nil
    }

    /// Whether every streaming node has a thread, and every thread with an open node waits and has no reason to go on.
    var isSettled: Bool {
        for (path, node) in nodes where node.isStreaming {
            guard waiters.values.contains(where: { $0.device.map { openNodes[$0] } == path }) else { return false }
        }
        return waiters.allSatisfy { wakeUp, waiter in
            guard let device = waiter.device, openNodes[device] != nil else { return true }
            return waiter.isParked && readiness(of: wakeUp) == nil
        }
    }
}
