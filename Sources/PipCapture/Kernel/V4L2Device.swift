internal import PipFrames
package import SystemPackage

/// An open device node, closed when its last reference is released.
///
/// The kernel serializes concurrent calls where necessary.
///
/// Thread: any.
package final class V4L2Device: Sendable {
    package let path: String
    package let calls: any V4L2Calls
    package let descriptor: CInt

    /// Opens the node at `path`.
    ///
    /// - Throws: The error of `open`.
    package init(at path: String, calls: any V4L2Calls) throws(Errno) {
        descriptor = try calls.open(path)
        self.path = path
        self.calls = calls
    }

    /// Opens the node of a camera.
    ///
    /// - Throws: ``CaptureError`` with advice, such as the program that holds the camera.
    init(path: String, calls: any V4L2Calls) throws(CaptureError) {
        do {
            descriptor = try calls.open(path)
        } catch {
            throw NodeProblems(calls: calls).error(opening: path, errno: error)
        }
        self.path = path
        self.calls = calls
    }

    deinit { calls.close(descriptor) }

    /// Performs an `ioctl` on the device, and returns its error; nil for success.
    ///
    /// The call does not allocate memory.
    package func perform<Argument>(_ request: V4L2Request, _ argument: inout Argument) -> Errno? {
        let result = unsafe withUnsafeMutablePointer(to: &argument) {
            unsafe calls.control(descriptor, request.number, UnsafeMutableRawPointer($0))
        }
        return result < 0 ? Errno(rawValue: -result) : nil
    }

    /// Performs an `ioctl`, and throws when the call fails.
    ///
    /// - Throws: ``CaptureError`` with `operation`, the purpose of the call, worded to follow "cannot".
    func require<Argument>(
        _ request: V4L2Request, _ argument: inout Argument, to operation: String
    )
        throws(CaptureError)
    {
        guard let errno = perform(request, &argument) else { return }
        throw error(request, errno, operation)
    }

    /// The error for a failed call.
    ///
    /// The hint for a busy device names the programs that hold the device, or says that the driver has hung. The error
    /// has no hint when neither is known.
    func error(_ request: V4L2Request, _ errno: Errno, _ operation: String) -> CaptureError {
        let hint = errno == .resourceBusy ? NodeProblems(calls: calls).holderHint(for: path, ownDescriptors: 1) : nil
        return CaptureError(device: path, operation: operation, call: request.name, errno: errno, hint: hint)
    }
}
