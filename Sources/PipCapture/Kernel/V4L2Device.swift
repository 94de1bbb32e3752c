internal import PipFrames
package import SystemPackage

/// An open device node, closed when its last reference is released.
///
/// The kernel serializes calls where needed.
///
/// Thread: any.
package final class V4L2Device: Sendable {
    package let path: String
    package let calls: any V4L2Calls
    package let descriptor: CInt

    /// Opens a node.
    ///
    /// - Throws: The error of `open`.
    package init(at path: String, calls: any V4L2Calls) throws(Errno) {
        descriptor = try calls.open(path)
        self.path = path
        self.calls = calls
    }

    /// Opens a camera's node.
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

    /// Performs a call.
    ///
    /// Returns its error, or nil for success.
    ///
    /// The call does not allocate.
    package func perform<Argument>(_ request: V4L2Request, _ argument: inout Argument) -> Errno? {
        let result = unsafe withUnsafeMutablePointer(to: &argument) {
            unsafe calls.control(descriptor, request.number, UnsafeMutableRawPointer($0))
        }
        return result < 0 ? Errno(rawValue: -result) : nil
    }

    /// Performs a call that must succeed.
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

    /// The error that describes a failed call to the user.
    func error(_ request: V4L2Request, _ errno: Errno, _ operation: String) -> CaptureError {
        let hint = errno == .resourceBusy ? NodeProblems(calls: calls).holderHint(for: path, ownDescriptors: 1) : nil
        return CaptureError(device: path, operation: operation, call: request.name, errno: errno, hint: hint)
    }
}
