/// A plausible and current value of one sensor.
package struct SensorSample: Sendable, Hashable {
    /// The sensor's name, which tells where to find it: `thermal_zone0 (cpu-thermal)`.
    package var source: String
    package var value: SensorValue

    package init(source: String, value: SensorValue) {
        self.source = source
        self.value = value
    }
}

/// The value of a sensor, by the kind of sensor.
package enum SensorValue: Sendable, Hashable {
    case temperature(TemperatureSample)
    /// The state of a cooling device that throttles a processor or GPU, 0…`maximum`, and the lowest state seen so far.
    case cooling(state: Int, maximum: Int, baseline: Int, factor: PressureFactor)
    /// The share of the last ten seconds in which a processor throttled itself, from 0 to 1.
    case throttling(share: Double)
    /// The cap on a processor's clock, and the highest cap since a cap last held for a minute.
    ///
    /// Units: kilohertz.
    case frequencyCap(kilohertz: Int, baseline: Int)
    /// The throttling flags of a Raspberry Pi's firmware.
    case firmware(FirmwareFlags)
    /// True while the supply's voltage is too low.
    case underVoltage(Bool)
    /// The reasons for a GPU's lowered clock.
    case gpuClock(GPUClockReasons)
    case battery(percent: Double, isDischarging: Bool)
    /// The share of the last ten seconds, in percent, in which some or all tasks waited for a resource.
    case stall(StallResource, some: Double, full: Double)
}

/// A resource that tasks wait for.
package enum StallResource: String, Sendable, Hashable, CaseIterable {
    case cpu, memory, io
}

/// The bits of a Raspberry Pi's `get_throttled` that describe the present state.
///
/// Source: Raspberry Pi documentation, `vcgencmd get_throttled`.
package struct FirmwareFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let underVoltage = FirmwareFlags(rawValue: 1 << 0)
    package static let frequencyCapped = FirmwareFlags(rawValue: 1 << 1)
    package static let throttled = FirmwareFlags(rawValue: 1 << 2)
    package static let softTemperatureLimit = FirmwareFlags(rawValue: 1 << 3)
}

/// The reasons for a GPU's lowered clock, in the bits of NVIDIA's library.
///
/// Source: NVML API reference, `nvmlClocksEventReasons`.
package struct GPUClockReasons: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let softwarePowerCap = GPUClockReasons(rawValue: 0x4)
    package static let hardwareSlowdown = GPUClockReasons(rawValue: 0x8)
    package static let softwareThermal = GPUClockReasons(rawValue: 0x20)
    package static let hardwareThermal = GPUClockReasons(rawValue: 0x40)
    package static let hardwarePowerBrake = GPUClockReasons(rawValue: 0x80)
}
