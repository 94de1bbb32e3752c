import PipCompose
import PipRig

extension DeviceReport {
    /// The cameras for programs.
    var document: JSON {
        .object([
            "cameras": .array(cameras.enumerated().map { index, entry in entry.document(index) }),
            "unusable": .array(
                unusable.map { error in
                    .object([
                        "device": .string(error.device), "kind": .string(error.kind.rawValue),
                        "message": .string(error.description),
                    ])
                }),
            "libcamera": .array(
                sensorCameras.names.map { .object(["name": .string($0), "select": .string("camera:libcamera:\($0)")]) }),
            "virtual_cameras": .array(
                idleVirtualCameras.map { device in
                    .object([
                        "device": .string(device.path), "label": .string(device.label),
                        "output": .string("virtual-camera:\(device.label)"),
                    ])
                }),
        ])
    }
}

extension DeviceReport.Entry {
    fileprivate func document(_ index: Int) -> JSON {
        .object([
            "index": .integer(index), "name": .string(camera.card), "device": .string(camera.path),
            "driver": .string(camera.driver), "bus": .string(camera.busInfo),
            "select": .string("camera:\(camera.stableName)"), "by_id": .string(camera.byID),
            "by_path": .string(camera.byPath), "ambiguity": .string(camera.ambiguity), "usb": usb,
            "type": .string(camera.type.rawValue), "position": .string(camera.position?.rawValue),
            "default": .bool(camera.isUsual), "same_device": .array(siblings.map { .string($0.camera.path) }),
            "rotation": camera.rotation.map { .integer($0) } ?? .null,
            "sensor": .string(sensor?.description), "formats": .array(formats.map(document)),
            "adjustments": .object(
                AdjustmentSupport(controls).words.map { JSON.Member(key: $0.key, value: .string($0.values)) }),
            "controls": .array(controls.compactMap(\.document)), "trouble": .string(trouble?.description),
        ])
    }

    private var usb: JSON {
        guard let usb = camera.usb else { return .null }
        return .object([
            "vendor": .string(usb.vendor), "product": .string(usb.product), "serial": .string(usb.serial),
            "manufacturer": .string(usb.manufacturer), "product_name": .string(usb.productName),
        ])
    }

    private func document(_ format: FormatModes) -> JSON {
        .object([
            "format": .string(format.format.description), "usable": .bool(format.isUsable),
            "sizes": .array(
                format.sizes.map { size in
                    .object([
                        "size": .string(size.size.description),
                        "fps": .array(size.rates.map { .number($0.framesPerSecond, decimals: 3) }),
                    ])
                }),
        ])
    }
}
