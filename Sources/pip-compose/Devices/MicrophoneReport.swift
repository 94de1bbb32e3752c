import PipCompose
import PipRig

/// The microphones of this machine, each with the camera in whose housing the microphone is.
struct MicrophoneReport {
    struct Entry {
        let microphone: AudioDevice
        /// The camera, with its index in the list of cameras; nil for a microphone outside a camera.
        let camera: (index: Int, device: CameraDevice)?
    }

    let microphones: [Entry]

    /// Reads the kernel's sound devices, and matches them with cameras by their USB ports.
    ///
    /// - Throws: ``SoundError`` for a kernel that has no sound system, or hides it.
    init(_ directory: AudioDirectory, cameras: CameraDirectory) throws(SoundError) {
        let found = try directory.microphones()
        var owners: [String: (index: Int, device: CameraDevice)] = [:]
        for (index, camera) in cameras.cameras().enumerated() where camera.usb != nil {
            // A camera can have several nodes; the first one stands for it.
            if owners[camera.busInfo] == nil { owners[camera.busInfo] = (index, camera) }
        }
        microphones = found.map { microphone in
            Entry(microphone: microphone, camera: microphone.usbPort.flatMap { owners[$0] })
        }
    }
}

extension MicrophoneReport {
    /// The report as the text that `devices --audio` prints; advice if there is no microphone.
    var text: String {
        guard !microphones.isEmpty else { return Self.noMicrophones }
        var blocks = [counted(microphones.count, "microphone")]
        blocks += microphones.enumerated().map { index, entry in entry.text(index) }
        return blocks.joined(separator: "\n\n")
    }

    private static let noMicrophones = """
        No microphone found.

        The kernel's sound system is there, but no card records.

        What helps:
          Plug a microphone or a camera with one in, then look whether the kernel shows it:  cat /proc/asound/cards
          In a container, hand the devices in:                      docker run --device /dev/snd …
        """

    /// The report as the JSON document that `devices --audio --json` prints.
    var document: JSON {
        .object(["microphones": JSON.array(microphones.enumerated().map { index, entry in entry.document(index) })])
    }
}

extension MicrophoneReport.Entry {
    fileprivate func text(_ index: Int) -> String {
        var lines = ["microphone \(index)  \(microphone.card)"]
        lines.append("  device    \(microphone.name) (\(microphone.stream))")
        lines.append("  lasting   \(microphone.stableName)")
        if let port = microphone.usbPort { lines.append("  port      \(port)") }
        if let camera { lines.append("  camera    camera:\(camera.index)  \(camera.device.card)") }
        if microphone.isInUse { lines.append("  in use    another program records from it") }
        if let ambiguity = microphone.ambiguity { lines.append("  note      \(ambiguity)") }
        return lines.joined(separator: "\n")
    }

    fileprivate func document(_ index: Int) -> JSON {
        .object([
            "index": index, "name": microphone.card, "device": microphone.name, "stream": microphone.stream,
            "card": microphone.cardNumber, "select": microphone.stableName, "ambiguity": microphone.ambiguity,
            "usb_port": microphone.usbPort, "usb_id": microphone.usbID, "in_use": microphone.isInUse,
            "camera": camera.map { camera in
                JSON.object([
                    "index": camera.index, "name": camera.device.card, "select": "camera:\(camera.device.stableName)",
                ])
            },
        ])
    }
}
