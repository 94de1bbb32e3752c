import PipCapture
import PipConcurrency
import PipFrames
import SystemPackage

/// The kernel's system calls.
///
/// Records all requests except those that are made for every frame, and can make requests fail.
final class RecordingCalls: V4L2Calls {
    private struct State {
        var paths: [CInt: String] = [:]
        var requests: [String: [String]] = [:]
        var failures: [String: (request: V4L2Request, count: Int)] = [:]
    }

    private let kernel = KernelCalls()
    private let state = Monitor(State())

    /// The names of the requests to a node since the previous call of this function.
    func takeRequests(of path: String) -> [String] { state.update { $0.requests.removeValue(forKey: path) ?? [] } }

    /// Makes the next `times` requests of one kind to a node fail, without calling the kernel.
    func fail(_ request: V4L2Request, of path: String, times: Int) {
        state.update { $0.failures[path] = (request, times) }
    }

    private func takeFailure(of request: V4L2Request?, _ descriptor: CInt) -> Bool {
        state.update { state in
            guard let path = state.paths[descriptor], let failure = state.failures[path], failure.request == request,
                failure.count > 0
            else { return false }
            state.failures[path]?.count -= 1
            return true
        }
    }

    var now: Timestamp { kernel.now }
    var slept: Duration { kernel.slept }

    func open(_ path: String) throws(Errno) -> CInt {
        let descriptor = try kernel.open(path)
        state.update { $0.paths[descriptor] = path }
        return descriptor
    }

    func close(_ descriptor: CInt) { kernel.close(descriptor) }

    @unsafe func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        let known = V4L2Request.all.first { $0.number == request }
        if known != .queueBuffer && known != .dequeueBuffer {
            state.update { state in
                guard let path = state.paths[descriptor] else { return }
                state.requests[path, default: []].append(known?.name ?? "\(request)")
            }
        }
        if takeFailure(of: known, descriptor) { return -Errno.ioError.rawValue }
        return unsafe kernel.control(descriptor, request, argument)
    }

    @unsafe func map(_ descriptor: CInt, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
        try unsafe kernel.map(descriptor, length: length, offset: offset)
    }

    @unsafe func unmap(_ memory: UnsafeMutableRawBufferPointer) { unsafe kernel.unmap(memory) }
    func makeWakeUp() throws(Errno) -> CInt { try kernel.makeWakeUp() }
    func wake(_ wakeUp: CInt) { kernel.wake(wakeUp) }
    func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness {
        kernel.wait(device: device, wakeUp: wakeUp, timeout: timeout)
    }
    func waitIdle(device: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness {
        kernel.waitIdle(device: device, wakeUp: wakeUp, timeout: timeout)
    }
    func watchDevices() -> (any DeviceWatch)? { kernel.watchDevices() }
    func status(of path: String) throws(Errno) -> FileStatus { try kernel.status(of: path) }
    func names(in folder: String) -> [String] { kernel.names(in: folder) }
    func target(ofLink path: String) -> String? { kernel.target(ofLink: path) }
    func text(of path: String) -> String? { kernel.text(of: path) }
}
