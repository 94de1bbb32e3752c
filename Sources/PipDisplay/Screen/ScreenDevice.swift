internal import CDisplay
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// A device that drives screens, controlled by ioctls.
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

    /// Performs an ioctl on a value that the kernel may change.
    ///
    /// - Throws: `Errno` when the kernel refuses.
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

    /// True when the device shows pictures from memory that the CPU writes.
    var showsMemory: Bool {
        var capability = drm_get_cap()
        capability.capability = UInt64(DRM_CAP_DUMB_BUFFER)
        guard (try? perform(PIP_DRM_GET_CAP, &capability)) != nil else { return false }
        return capability.value != 0
    }

    /// Lists the identifiers of the connectors, and of the controllers that feed them.
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

    /// A connector and its screen.
    struct Connector {
        let identifier: UInt32
        let name: String
        let isConnected: Bool
        /// The modes of the screen, the preferred ones first.
        let modes: [drm_mode_modeinfo]
        /// The encoders that can feed the connector, the one in use first.
        let encoders: [UInt32]
        /// The encoder in use; 0 for none.
        let encoder: UInt32
    }

    /// Reads a connector, and lets the kernel look whether a screen is plugged in.
    func connector(_ identifier: UInt32) throws(Errno) -> Connector {
        var request = drm_mode_get_connector()
        request.connector_id = identifier
        // Without room for modes, the kernel looks anew at the connector.
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

    /// Returns whether a screen is plugged in as the driver last noticed, without looking anew.
    ///
    /// - Throws: `Errno` when the device is gone.
    func isConnected(_ connector: Connector) throws(Errno) -> Bool {
        var request = drm_mode_get_connector()
        // With room for a mode, the kernel does not look anew, which would take as long as the screen's answer.
        (request.connector_id, request.count_modes) = (connector.identifier, 1)
        var modes = [drm_mode_modeinfo()]
        try withAddress(of: &modes) { modes throws(Errno) in
            request.modes_ptr = modes
            try perform(PIP_DRM_GET_CONNECTOR, &request)
        }
        return request.connection == 1
    }

    /// Lists the controllers that can feed a connector, the one in use first.
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

    /// Lends the address of an array's elements, in the form of the kernel's requests.
    func withAddress<Element>(
        of elements: inout [Element], _ body: (UInt64) throws(Errno) -> Void
    ) throws(Errno) {
        try unsafe elements.withUnsafeMutableBufferPointer { buffer throws(Errno) in
            try body(UInt64(UInt(bitPattern: buffer.baseAddress)))
        }
    }
}
