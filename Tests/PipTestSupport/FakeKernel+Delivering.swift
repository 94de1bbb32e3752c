extension FakeKernel {
    /// Runs a function with a fake kernel whose camera delivers thirty frames a second of real time.
    ///
    /// The camera delivers frames only while it is plugged in.
    ///
    /// - Parameters:
    ///   - path: The camera's device path.
    ///   - camera: The camera that is plugged in from the start; nil for no camera.
    ///   - body: Uses the fake kernel.
    /// - Throws: The error of `body`.
    package static func delivering(
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
