internal import CDisplay
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// A device that drives screens, by its ioctls.
///
/// Source: Linux, `include/uapi/drm/drm_mode.h`.
final class ScreenDevice {
    let path: String
    let descriptor: Int32

    /// - Throws: `Errno` when it cannot be opened.
    init(_ path: String) throws(Errno) {
        self.path = path
        descriptor = unsafe pip_display_open(path)
        if descriptor < 0 { throw Errno(rawValue: -descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Performs an ioctl on a value, which the kernel may change.
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

    /// True when it can show pictures that the CPU has made.
    var takesPictures: Bool {
        var capability = drm_get_cap()
        capability.capability = UInt64(DRM_CAP_DUMB_BUFFER)
        guard (try? perform(PIP_DRM_GET_CAP, &capability)) != nil else { return false }
        return capability.value != 0
    }

    /// The numbers of its connectors and of what feeds them.
    func resources() throws(Errno) -> (connectors: [UInt32], controllers: [UInt32]) {
        var resources = drm_mode_card_res()
        try perform(PIP_DRM_GET_RESOURCES, &resources)
        var connectors = [UInt32](repeating: 0, count: Int(resources.count_connectors))
        var controllers = [UInt32](repeating: 0, count: Int(resources.count_crtcs))
        (resources.count_fbs, resources.count_encoders) = (0, 0)
        let error = unsafe connectors.withUnsafeMutableBufferPointer { connectors in
            unsafe controllers.withUnsafeMutableBufferPointer { controllers -> Errno? in
                resources.connector_id_ptr = unsafe address(of: connectors)
                resources.crtc_id_ptr = unsafe address(of: controllers)
                do throws(Errno) { try perform(PIP_DRM_GET_RESOURCES, &resources) } catch { return error }
                return nil
            }
        }
        if let error { throw error }
        return (connectors, controllers)
    }

    /// A connector: its name, whether a screen is there, its modes with the preferred one first, and its encoders.
    struct Connector {
        let identifier: UInt32
        let name: String
        let isConnected: Bool
        let modes: [drm_mode_modeinfo]
        /// The one in use; 0 for none.
        let encoder: UInt32
        let encoders: [UInt32]
    }

    func connector(_ identifier: UInt32) throws(Errno) -> Connector {
        var request = drm_mode_get_connector()
        request.connector_id = identifier
        // Without room for modes, the kernel looks anew at what is connected.
        try perform(PIP_DRM_GET_CONNECTOR, &request)
        var modes = [drm_mode_modeinfo](repeating: drm_mode_modeinfo(), count: Int(request.count_modes))
        var encoders = [UInt32](repeating: 0, count: Int(request.count_encoders))
        request.count_props = 0
        let error = unsafe modes.withUnsafeMutableBufferPointer { modes in
            unsafe encoders.withUnsafeMutableBufferPointer { encoders -> Errno? in
                request.modes_ptr = unsafe address(of: modes)
                request.encoders_ptr = unsafe address(of: encoders)
                do throws(Errno) { try perform(PIP_DRM_GET_CONNECTOR, &request) } catch { return error }
                return nil
            }
        }
        if let error { throw error }
        let preferred = UInt32(DRM_MODE_TYPE_PREFERRED)
        let sorted = modes.filter { $0.type & preferred != 0 } + modes.filter { $0.type & preferred == 0 }
        return Connector(
            identifier: identifier,
            name: ScreenConnector.name(type: request.connector_type, number: request.connector_type_id),
            isConnected: request.connection == 1, modes: sorted, encoder: request.encoder_id, encoders: encoders)
    }

    /// Whether a screen is at a connector, as the driver has noticed it; it does not look anew.
    ///
    /// - Throws: `Errno` when the device is gone.
    func isConnected(_ connector: Connector) throws(Errno) -> Bool {
        var request = drm_mode_get_connector()
        request.connector_id = connector.identifier
        var mode = drm_mode_modeinfo()
        let error = unsafe withUnsafeMutablePointer(to: &mode) { mode -> Errno? in
            // Room for a mode: without any, the kernel looks anew, which takes as long as the screen's answer.
            request.count_modes = 1
            request.modes_ptr = UInt64(UInt(bitPattern: mode))
            do throws(Errno) { try perform(PIP_DRM_GET_CONNECTOR, &request) } catch { return error }
            return nil
        }
        if let error { throw error }
        return request.connection == 1
    }

    /// What may feed a connector: that in use first.
    func controllers(of connector: Connector, among all: [UInt32]) -> [UInt32] {
        var found: [UInt32] = []
        for encoder in [connector.encoder] + connector.encoders where encoder != 0 {
            var request = drm_mode_get_encoder()
            request.encoder_id = encoder
            guard (try? perform(PIP_DRM_GET_ENCODER, &request)) != nil else { continue }
            if encoder == connector.encoder, request.crtc_id != 0 { found.append(request.crtc_id) }
            for (index, controller) in all.enumerated() where index < 32 {
                if request.possible_crtcs & 1 << UInt32(index) != 0 { found.append(controller) }
            }
        }
        return found
    }

    private func address<T>(of buffer: UnsafeMutableBufferPointer<T>) -> UInt64 {
        UInt64(UInt(bitPattern: buffer.baseAddress))
    }
}
