extension Session {
    /// Holds the pressure at a level, whatever the sensors say, to try out what the policy does; nil goes by the sensors again.
    public func pinPressure(_ level: PressureLevel?) async { await controller.pin(level) }

    /// Follows another policy from now on.
    ///
    /// Measures that it does not have are taken back at once; those that it has are taken anew.
    public func setPressurePolicy(_ policy: PressurePolicy) async { await controller.follow(policy) }
}

extension SessionController {
    func pin(_ level: PressureLevel?) { pinnedLevel = level }

    func follow(_ policy: PressurePolicy) {
        governor = PressureGovernor(policy)
        pressureMonitor?.use(policy.thresholds)
    }
}
