internal import CDisplay
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// A device that drives screens (DRM), controlled with ioctls.
///
/// Source: Linux, `include/uapi/drm/drm_mode.h`.
final class ScreenDevice {
    let path: String
    let descriptor: Int32

    /// - Throws: `Errno` when the device cannot be opened.
    init(_ path: String) throws(Errno) {
        self.path = path
        descriptor = unsafe pip_display_open(path)
        if descriptor < 0 { throw Errno(rawValue: -descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Performs an ioctl with a value that the kernel may change.
    ///
    /// - Throws: The `Errno` of a failed call.
    func perform<Value>(_ request: UInt, _ value: inout Value) throws(Errno) {
        let result = unsafe withUnsafeMutablePointer(to: &value) {
            unsafe pip_display_ioctl(descriptor, request, UnsafeMutableRawPointer($0))
        }
        if result < 0 { throw Errno(rawValue: -result) }
    }

    /// Performs an ioctl without a value.
    func perform(_ request: UInt) throws(Errno) {
        let result = pip_display_ioctl(descriptor, request, nil)
        if result < 0 { throw Errno(rawValue: -result) }
    }

    /// True when the device can show pictures from memory that the CPU writes (dumb buffers).
    var showsMemory: Bool {
        var capability = drm_get_cap()
        capability.capability = UInt64(DRM_CAP_DUMB_BUFFER)
        guard (try? perform(PIP_DRM_GET_CAP, &capability)) != nil else { return false }
        return capability.value != 0
    }

    /// Lists the identifiers of the connectors, and of the display controllers (CRTCs) that feed them.
    func resources() throws(Errno) -> (connectors: [UInt32], controllers: [UInt32]) {
        var resources = drm_mode_card_res()
        try perform(PIP_DRM_GET_RESOURCES, &resources)
        var connectors = [UInt32](repeating: 0, count: Int(resources.count_connectors))
        var controllers = [UInt32](repeating: 0, count: Int(resources.count_crtcs))
        (resources.count_fbs, resources.count_encoders) = (0, 0)
        try withAddress(of: &connectors) { connectors throws(Errno) in
            try withAddress(of: &controllers) { controllers throws(Errno) in
                (resources.connector_id_ptr, resources.crtc_id_ptr) = (connectors, controllers)
                try perform(PIP_DRM_GET_RESOURCES, &resources)
            }
        }
        return (connectors, controllers)
    }

    /// A connector of the device, and the properties of its screen.
    struct Connector {
        let identifier: UInt32
        let name: String
        let isConnected: Bool
        /// The modes of the screen, with the preferred modes first.
        let modes: [drm_mode_modeinfo]
        /// The identifier of the encoder in use, or 0, then the identifiers of all encoders that can feed the
        /// connector.
        let encoders: [UInt32]
        /// The identifier of the encoder in use; 0 when no encoder is in use.
        let encoder: UInt32
    }

    /// Reads a connector, and lets the kernel probe whether a screen is plugged in.
    func connector(_ identifier: UInt32) throws(Errno) -> Connector {
        var request = drm_mode_get_connector()
        request.connector_id = identifier
        // A request without room for modes makes the kernel probe the connector.
        try perform(PIP_DRM_GET_CONNECTOR, &request)
        var modes = [drm_mode_modeinfo](repeating: drm_mode_modeinfo(), count: Int(request.count_modes))
        var encoders = [UInt32](repeating: 0, count: Int(request.count_encoders))
        request.count_props = 0
        try withAddress(of: &modes) { modes throws(Errno) in
            try withAddress(of: &encoders) { encoders throws(Errno) in
                (request.modes_ptr, request.encoders_ptr) = (modes, encoders)
                try perform(PIP_DRM_GET_CONNECTOR, &request)
            }
        }
        let preferred = UInt32(DRM_MODE_TYPE_PREFERRED)
        return Connector(
            identifier: identifier,
            name: ScreenConnector.name(type: request.connector_type, number: request.connector_type_id),
            isConnected: request.connection == 1,
            modes: modes.filter { $0.type & preferred != 0 } + modes.filter { $0.type & preferred == 0 },
            encoders: [request.encoder_id] + encoders, encoder: request.encoder_id)
    }

    /// Returns true when a screen was plugged in at the driver's last probe, without another probe.
    ///
    /// - Throws: `Errno` when the device is gone.
    func isConnected(_ connector: Connector) throws(Errno) -> Bool {
        var request = drm_mode_get_connector()
        // A request with room for a mode makes the kernel skip the probe, which would wait for the screen's answer.
        (request.connector_id, request.count_modes) = (connector.identifier, 1)
        var modes = [drm_mode_modeinfo()]
        try withAddress(of: &modes) { modes throws(Errno) in
            request.modes_ptr = modes
            try perform(PIP_DRM_GET_CONNECTOR, &request)
        }
        return request.connection == 1
    }

    /// Lists the controllers that can feed a connector, with the controller in use first; a controller may occur twice.
    func controllers(of connector: Connector, among all: [UInt32]) -> [UInt32] {
        connector.encoders.filter { $0 != 0 }.flatMap { encoder -> [UInt32] in
            var request = drm_mode_get_encoder()
            request.encoder_id = encoder
            guard (try? perform(PIP_DRM_GET_ENCODER, &request)) != nil else { return [] }
            let isUsed = encoder == connector.encoder && request.crtc_id != 0
            let possible = all.prefix(32).enumerated().filter { request.possible_crtcs & 1 << UInt32($0.offset) != 0 }
            return (isUsed ? [request.crtc_id] : []) + possible.map(\.element)
        }
    }

    /// Calls `body` with the address of an array's elements as the number that the kernel's requests hold.
    func withAddress<Element>(
        of elements: inout [Element], _ body: (UInt64) throws(Errno) -> Void
    ) throws(Errno) {
        try unsafe elements.withUnsafeMutableBufferPointer { buffer throws(Errno) in
            try body(UInt64(UInt(bitPattern: buffer.baseAddress)))
        }
    }
}
