package import PipCompose

extension AdjustmentSupport {
    /// The settings that the camera supports, named as in ``/PipCompose/CameraAdjustments``, each with its allowed
    /// values.
    package var words: [(key: String, values: String)] {
        var words: [(key: String, values: String)] = []
        func add(_ key: String, _ values: [String]) {
            if !values.isEmpty { words.append((key, values.joined(separator: " | "))) }
        }
        add("exposure", Self.words(exposure) { "\(Self.text($0.lowerBound)) to \(Self.text($0.upperBound))" })
        add("iso", speeds.map { "\(Self.text($0))" })
        add("gain", Self.words(gain) { "\($0.lowerBound) to \($0.upperBound)" })
        add("bias", biases.map { Self.text($0) })
        add("metering", meterings.map(\.rawValue))
        add("focus", Self.words(focus) { _ in "0 (near) to 1 (far)" })
        add(
            "white-balance",
            Self.words(whiteBalance) { "\($0.lowerBound)K to \($0.upperBound)K" }
                + (hasWhiteBalanceGains ? ["RED,BLUE"] : []))
        add("zoom", zoom.map { ["1 to \(Self.text($0.upperBound))"] } ?? [])
        add("power-line", powerLines.map(\.rawValue))
        add("hdr", hasWideDynamicRange ? ["on", "off"] : [])
        add("stabilization", hasStabilization ? ["on", "off"] : [])
        add("torch", hasTorch ? ["on", "off", "auto", "0 to 1"] : [])
        return words
    }

    private static func words<Value>(_ setting: Automatic<Value>, _ values: (Value) -> String) -> [String] {
        (setting.isContinuous ? ["auto"] : []) + (setting.isOnce ? ["once"] : [])
            + (setting.isLockable ? ["locked"] : []) + (setting.values.map { [values($0)] } ?? [])
    }

    private static func text(_ time: Duration) -> String { "\(text(time / .milliseconds(1)))ms" }

    /// Formats a number with at most two decimals.
    private static func text(_ number: Double) -> String { shortText((number * 100).rounded() / 100) }
}
