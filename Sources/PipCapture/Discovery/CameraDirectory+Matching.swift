extension CameraDirectory {
    /// Finds the camera that `selector` refers to.
    ///
    /// - Throws: ``CaptureError`` when no camera fits, when several fit (the error lists their stable names), or when a
    ///   path does not lead to a camera that can be opened.
    public func camera(matching selector: CameraSelector) throws(CaptureError) -> CameraDevice {
        if case .path(let path) = selector {
            let asked = try node(path)
            // Stable names depend on all cameras, so the camera is taken from the list.
            return cameras().first { $0.path == path } ?? asked
        }
        let cameras = cameras()
        let found = selector.candidates(among: cameras)
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            throw CaptureError(
                .ambiguous, device: "\(selector)", operation: "choose a camera",
                reason: "\(found.count) cameras fit",
                hint: "say which: " + found.map { "camera:\($0.stableName)" }.joined(separator: " or "))
        }
        let reason = if case .position = selector, cameras.isEmpty { "no camera can be used" } else { selector.absence }
        throw CaptureError(
            .notFound, device: "\(selector)", operation: "find the camera", reason: reason,
            hint: alternatives(to: selector, cameras))
    }

    /// Finds the camera at a path.
    ///
    /// The error for a missing node lists the cameras.
    private func node(_ path: String) throws(CaptureError) -> CameraDevice {
        do throws(CaptureError) {
            return try inspect(path)
        } catch {
            guard error.kind == .notFound, let errno = error.errno else { throw error }
            throw CaptureError(
                device: path, operation: error.operation, call: error.call, errno: errno,
                hint: alternatives(to: .path(path), cameras()))
        }
    }

    /// Finds a lost camera again, by its unit, or else by its model and port.
    ///
    /// Nil while the camera is absent, cannot be opened, or cannot be distinguished from another camera.
    package func camera(like lost: CameraDevice) -> CameraDevice? { try? camera(like: lost, besides: []) }

    /// Finds a lost camera again.
    ///
    /// - Parameters:
    ///   - lost: The camera as it was found before.
    ///   - others: The cameras of other slots. Open cameras are excluded; a serial number that one of these cameras
    ///     shares is ignored.
    /// - Returns: The camera as it is found now.
    /// - Throws: ``CaptureError`` when the camera is absent, cannot be opened, or is indistinguishable from another.
    func camera(
        like lost: CameraDevice, besides others: [CameraClaims.Claim]
    ) throws(CaptureError) -> CameraDevice {
        let taken = Set(others.filter(\.isOpen).map(\.device.path))
        let free = cameras().filter { !taken.contains($0.path) }
        let isUnique = !others.contains { $0.device.isSameUnit(as: lost) }
        let found = free.filter { $0.isSame(as: lost, trustingSerial: isUnique) }
        if found.count == 1 { return found[0] }
        if let samePort = found.first(where: { $0.isSamePort(as: lost) }) { return samePort }
        if let problem = unusableNodes().first(where: { $0.device == lost.path }) { throw problem }
        let alike = free.filter { $0.card == lost.card && $0.usb?.product == lost.usb?.product && lost.usb != nil }
        guard let other = alike.first else {
            throw CaptureError(
                .notFound, device: lost.path, operation: "open the camera again", reason: "\(lost.card) is not there",
                hint: "plug the camera in again")
        }
        throw CaptureError(
            .ambiguous, device: lost.path, operation: "open the camera again",
            reason: "a \(other.card) is at another port (\(other.path)), and may be another unit",
            hint: "plug the camera into its former port")
    }

    private func alternatives(to selector: CameraSelector, _ cameras: [CameraDevice]) -> String {
        guard !cameras.isEmpty else {
            let blocked = unusableNodes()
            return blocked.isEmpty ? "there is no camera" : blocked.map(\.description).joined(separator: "; ")
        }
        let names = cameras.map(\.description).joined(separator: ", ")
        switch selector {
        case .index: return "the cameras, counted from 0: \(names)"
        case .path, .position, .first: return cameras.count == 1 ? "there is \(names)" : "there are \(names)"
        case .name(let name):
            guard cameras.count > 1 else { return "there is \(names)" }
            let near = cameras.min { Self.distance(name, $0.card) < Self.distance(name, $1.card) }
            return "the most similar is \(near?.description ?? ""); there are \(names)"
        }
    }

    /// The edit distance of two texts, ignoring case.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let substituted = diagonal + (character == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
