/// A user's reference to a screen: `HDMI-A-1`, `/dev/dri/card1`, `/dev/dri/card1:HDMI-A-1`, or an empty text for the
/// first screen.
package struct ScreenName: Equatable, Sendable {
    /// The path of the device; nil for any device.
    package let device: String?
    /// The name of the connector; nil for the first connector with a screen.
    package let connector: String?

    package init(_ text: String) {
        guard text.hasPrefix("/") else {
            device = nil
            connector = text.isEmpty ? nil : text
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        device = parts.first
        connector = parts.count == 2 ? parts[1] : nil
    }
}

/// A connector of the machine for a screen, such as an HDMI port.
public struct ScreenConnector: Equatable, Sendable {
    /// The device that drives the screen, such as `/dev/dri/card0`.
    public let device: String
    /// The connector's name, such as `HDMI-A-1`.
    public let name: String
    /// True when the driver detects a screen; some screens are not detected while they are switched off.
    public let isConnected: Bool

    /// Returns a connector's name as the kernel writes it.
    ///
    /// Source: Linux, `drivers/gpu/drm/drm_connector.c`, `drm_connector_enum_list`.
    static func name(type: UInt32, number: UInt32) -> String {
        let names = [
            "Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component", "DIN", "DP",
            "HDMI-A", "HDMI-B", "TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI", "USB",
        ]
        return "\(type < names.count ? names[Int(type)] : "Unknown")-\(number)"
    }
}
