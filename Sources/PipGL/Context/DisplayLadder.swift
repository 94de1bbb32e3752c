internal import CGL

/// The ways to reach a GPU without a screen, tried from the best to the worst.
struct DisplayLadder {
    /// One way to obtain an EGL display.
    enum Rung: String, CaseIterable {
        /// A GPU's render node, which is best for reading camera buffers in place.
        case gbm
        /// A device that EGL lists, as NVIDIA's driver does.
        case device
        /// Mesa's surfaceless platform, which also works in containers and virtual machines without a GPU.
        case surfaceless
        /// The EGL library's default display.
        case `default`
    }

    private let rungs: [Rung]
    private let nodeFolder: String

    /// - Parameters:
    ///   - choice: The only rung to try, for diagnosis (`PIP_EGL`); nil or empty tries all.
    ///   - nodeFolder: The folder of the render nodes' device files.
    /// - Throws: ``GLError`` when `choice` names no rung.
    init(choice: String?, nodeFolder: String = "/dev/dri") throws(GLError) {
        self.nodeFolder = nodeFolder
        guard let choice, !choice.isEmpty else {
            rungs = Rung.allCases
            return
        }
        guard let rung = Rung(rawValue: choice) else {
            let names = Rung.allCases.map(\.rawValue).joined(separator: ", ")
            throw GLError(
                "open an EGL display", call: "getenv",
                reason: .text("PIP_EGL is \"\(choice)\", but must be one of \(names)"))
        }
        rungs = [rung]
    }

    /// Makes a context on the first rung that succeeds, and makes the context current on the calling thread.
    ///
    /// A rung whose driver has ended the process at its last starts is left out; see ``DriverTrial``.
    ///
    /// - Parameter log: Receives the driver's messages of high severity.
    /// - Returns: The context.
    /// - Throws: ``GLError`` with the missing library, or with the reasons for which all rungs failed.
    func climb(log: (@Sendable (String) -> Void)?) throws(GLError) -> NativeContext {
        try DriverTrial("libraries").run(SystemLibrary.loadOpenGL)
        var failures: [String] = []
        for rung in rungs {
            do throws(GLError) {
                return try DriverTrial(rung.rawValue).run { () throws(GLError) in try context(on: rung, log: log) }
            } catch {
                failures.append("\(rung.rawValue): \(error.explanation)")
            }
        }
        let remedy = "install the GPU's driver, or the packages libegl1 and libgl1-mesa-dri to draw without a GPU"
        throw GLError(
            "open an EGL display", call: "eglGetPlatformDisplay",
            reason: .text(failures.joined(separator: "; ") + "; \(remedy)"))
    }

    private func context(on rung: Rung, log: (@Sendable (String) -> Void)?) throws(GLError) -> NativeContext {
        switch rung {
        case .gbm:
            try requireExtension("EGL_KHR_platform_gbm", or: "EGL_MESA_platform_gbm")
            return try first(of: RenderNode.all(in: nodeFolder), none: "no render node in \(nodeFolder)") {
                path throws(GLError) in
                let node = try RenderNode(path: path)
                return try unsafe NativeContext(
                    DisplayConnection(
                        .gbm(path: path), eglPlatform: EGL_PLATFORM_GBM_KHR,
                        native: UnsafeMutableRawPointer(node.device),
                        node: node), log: log)
            }
        case .device:
            try requireExtension("EGL_EXT_platform_device")
            return try unsafe first(of: EGLLibrary.devices(), none: "EGL lists no device") { device throws(GLError) in
                try unsafe NativeContext(
                    DisplayConnection(.device, eglPlatform: EGL_PLATFORM_DEVICE_EXT, native: device), log: log)
            }
        case .surfaceless:
            try requireExtension("EGL_MESA_platform_surfaceless")
            return try unsafe NativeContext(
                DisplayConnection(.surfaceless, eglPlatform: EGL_PLATFORM_SURFACELESS_MESA, native: nil), log: log)
        case .default:
            return try NativeContext(DisplayConnection(default: .defaultDisplay), log: log)
        }
    }

    /// Makes a context on the first candidate that allows one.
    private func first<Candidate>(
        of candidates: [Candidate], none: String, _ make: (Candidate) throws(GLError) -> NativeContext
    ) throws(GLError) -> NativeContext {
        var failures: [String] = []
        for candidate in candidates {
            do throws(GLError) {
                return try make(candidate)
            } catch {
                failures.append(error.explanation)
            }
        }
        throw GLError(
            "open a device", call: "eglQueryDevicesEXT",
            reason: .text(failures.isEmpty ? none : failures.joined(separator: ", ")))
    }

    private func requireExtension(_ names: String...) throws(GLError) {
        guard names.allSatisfy({ !EGLLibrary.clientExtensions.contains($0) }) else { return }
        throw GLError("use the platform", call: "eglQueryString", reason: .text("the EGL library has no \(names[0])"))
    }

    private func requireExtension(_ name: String, or other: String) throws(GLError) {
        guard !EGLLibrary.clientExtensions.contains(other) else { return }
        try requireExtension(name)
    }
}

extension GLError {
    /// The error as an entry of a list: the reason alone if the reason is a text and the error has no subject, else
    /// the sentence.
    fileprivate var explanation: String {
        if case .text(let text) = reason, subject == nil { return text }
        return description
    }
}
