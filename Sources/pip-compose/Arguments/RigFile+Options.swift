import PipRig

extension RigFile {
    /// The configuration of the options of `compose`, and a note for the user if test patterns replace cameras.
    ///
    /// Looks for cameras if no source is named, and reads the policy's file, if there is one.
    static func asking(
        composition: CompositionOptions, running: RunOptions, pressure: PressureArgumentOptions,
        panel: PanelArgumentOptions, broker: BrokerArgumentOptions
    ) throws -> (file: RigFile, note: String?) {
        var file = RigFile()
        let (rig, note) = try composition.rig()
        file.rig = rig
        file.run = running.settings
        file.pressure = try pressure.settings()
        file.panel = panel.settings(over: nil)
        file.broker = broker.mqtt
        return (file, note)
    }
}
