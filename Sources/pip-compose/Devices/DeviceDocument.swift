import PipCompose
import PipRig

extension DeviceReport {
    /// The report as the JSON document that `devices --json` prints.
    var document: JSON {
        .object([
            "cameras": JSON.array(cameras.enumerated().map { index, entry in entry.document(index) }),
            "unusable": JSON.array(
                unusable.map { error in
                    .object(["device": error.device, "kind": error.kind.rawValue, "message": error.description])
                }),
            "libcamera": JSON.array(
                sensorCameras.names.map { .object(["name": $0, "select": "camera:libcamera:\($0)"]) }),
            "virtual_cameras": JSON.array(
                idleVirtualCameras.map { device in
                    .object(["device": device.path, "label": device.label, "output": "virtual-camera:\(device.label)"])
                }),
        ])
    }
}

extension DeviceReport.Entry {
    fileprivate func document(_ index: Int) -> JSON {
        .object([
            "index": index, "name": camera.card, "device": camera.path, "driver": camera.driver, "bus": camera.busInfo,
            "select": "camera:\(camera.stableName)", "by_id": camera.byID, "by_path": camera.byPath,
            "ambiguity": camera.ambiguity, "usb": usb, "type": camera.type.rawValue,
            "position": camera.position?.rawValue, "default": camera.isUsual,
            "same_device": siblings.map(\.camera.path), "rotation": camera.rotation, "sensor": sensor?.description,
            "formats": formats.map(document),
            "adjustments": JSON.object(
                AdjustmentSupport(controls).words.map { JSON.Member($0.key, $0.values) }),
            "controls": controls.compactMap(\.document), "trouble": trouble?.description,
        ])
    }

    private var usb: JSON {
        guard let usb = camera.usb else { return .null }
        return .object([
            "vendor": usb.vendor, "product": usb.product, "serial": usb.serial, "manufacturer": usb.manufacturer,
            "product_name": usb.productName,
        ])
    }

    private func document(_ format: FormatModes) -> JSON {
        .object([
            "format": format.format.description, "usable": format.isUsable,
            "sizes": JSON.array(
                format.sizes.map { size in
                    .object([
                        "size": size.size.description,
                        "fps": JSON.array(size.rates.map { .number($0.framesPerSecond, decimals: 3) }),
                    ])
                }),
        ])
    }
}
