internal import CV4L2

/// The frequency of the mains where the machine is, by the country of its time zone.
///
/// The locale's country says little: `en_US` is spoken everywhere.
///
/// Source: IEC, "World plugs"; time zones by `zone.tab` of the IANA database. Japan has both.
enum MainsFrequency {
    /// The countries with 60 Hz alone, as ISO 3166 has them.
    private static let with60Hertz: Set<Substring> = [
        "AG", "AS", "AW", "BM", "BQ", "BR", "BS", "BZ", "CA", "CO", "CR", "CU", "CW", "DO", "EC", "FM",
        "GT", "GU", "GY", "HN", "HT", "KN", "KR", "KY", "LR", "MF", "MH", "MP", "MS", "MX", "NI", "PA",
        "PE", "PH", "PR", "PW", "SA", "SR", "SV", "SX", "TC", "TT", "TW", "US", "VE", "VG", "VI",
    ]

    /// Finds it out; nil where the zone is no country's, as UTC, or the country has both.
    static func here(_ calls: any V4L2Calls) -> CameraAdjustments.PowerLine? {
        guard let target = calls.target(ofLink: "/etc/localtime"), let folder = target.firstRange(of: "zoneinfo/"),
            let table = calls.text(of: "/usr/share/zoneinfo/zone.tab")
        else { return nil }
        let zone = target[folder.upperBound...]
        let countries = table.split(separator: "\n").lazy.map { $0.split(separator: "\t") }
        guard let country = countries.first(where: { $0.count >= 3 && $0[2] == zone })?[0], country != "JP" else {
            return nil
        }
        return with60Hertz.contains(country) ? .hertz60 : .hertz50
    }
}

extension ControlAccess {
    /// Times the exposure by the mains of where the machine is; a value that somebody has changed stays, and so does an
    /// automatic.
    func followMains() {
        guard let here = MainsFrequency.here(device.calls),
            let line = control(UInt32(V4L2_CID_POWER_LINE_FREQUENCY)), line.value == line.defaultValue,
            line.value != Int(V4L2_CID_POWER_LINE_FREQUENCY_AUTO.rawValue),
            let value = CameraAdjustments.PowerLine.allCases.firstIndex(of: here), value != line.value,
            line.refusal(of: value, mayBeInactive: true) == nil
        else { return }
        var argument = v4l2_control(id: line.id, value: Int32(value))
        // A camera that refuses keeps its own.
        _ = device.perform(.setControl, &argument)
    }
}
