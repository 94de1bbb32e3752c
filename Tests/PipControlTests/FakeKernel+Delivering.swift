import PipTestSupport

extension FakeKernel {
    /// Runs a function with a fake kernel whose camera delivers thirty frames a second by the machine's clock while the
    /// camera is plugged in.
    ///
    /// - Parameters:
    ///   - path: The camera's device path.
    ///   - camera: The camera that is plugged in from the start.
    ///   - body: Uses the kernel.
    /// - Throws: What `body` throws.
    static func delivering(
        _ path: String, _ camera: FakeCamera?, _ body: @Sendable @escaping (FakeKernel) async throws -> Void
    ) async throws {
        let kernel = FakeKernel()
        if let camera { kernel.add(path, camera) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    kernel.advance(by: .milliseconds(33))
                    kernel.produce(path, FakeFrame(.fill(90)))
                    try await Task.sleep(for: .milliseconds(33))
                }
            }
            defer { group.cancelAll() }
            try await body(kernel)
        }
    }
}
