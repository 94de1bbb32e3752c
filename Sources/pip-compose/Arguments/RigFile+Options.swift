import PipRig

extension RigFile {
    /// The configuration that the options of `compose` ask for, and a remark for the user where a test pattern stands
    /// in for a camera.
    ///
    /// Looks for cameras when no source is named, and reads the policy's file.
    static func asking(
        composition: CompositionOptions, running: RunOptions, pressure: PressureArgumentOptions,
        panel: PanelArgumentOptions
    ) throws -> (file: RigFile, note: String?) {
        var file = RigFile()
        let (rig, note) = try composition.rig()
        file.rig = rig
        file.run = running.settings
        file.pressure = try pressure.settings()
        file.panel = panel.settings(over: nil)
        return (file, note)
    }
}
