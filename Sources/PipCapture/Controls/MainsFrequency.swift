internal import CV4L2

/// The local mains frequency, derived from the time zone's country.
///
/// The locale's country would mislead: people use `en_US` everywhere.
///
/// Source: IEC, "World plugs"; `zone.tab` of the IANA time zone database. Japan has both frequencies.
enum MainsFrequency {
    /// The ISO 3166 codes of countries with 60 Hz only.
    private static let with60Hertz: Set<Substring> = [
        "AG", "AS", "AW", "BM", "BQ", "BR", "BS", "BZ", "CA", "CO", "CR", "CU", "CW", "DO", "EC", "FM",
        "GT", "GU", "GY", "HN", "HT", "KN", "KR", "KY", "LR", "MF", "MH", "MP", "MS", "MX", "NI", "PA",
        "PE", "PH", "PR", "PW", "SA", "SR", "SV", "SX", "TC", "TT", "TW", "US", "VE", "VG", "VI",
    ]

    /// The local mains frequency; nil for an unknown zone, for a zone without a country, such as UTC, and for a country
    /// with both frequencies.
    static func local(_ calls: any V4L2Calls) -> CameraAdjustments.PowerLine? {
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
    /// Sets the camera's flicker reduction to the local mains frequency.
    ///
    /// A setting that differs from the camera's default stays, and so does automatic detection. An unknown local
    /// frequency changes nothing.
    func followMains() {
        guard let local = MainsFrequency.local(device.calls),
            let line = control(UInt32(V4L2_CID_POWER_LINE_FREQUENCY)), line.value == line.defaultValue,
            line.value != Int(V4L2_CID_POWER_LINE_FREQUENCY_AUTO.rawValue),
            let value = CameraAdjustments.PowerLine.allCases.firstIndex(of: local), value != line.value,
            line.refusal(of: value, mayBeInactive: true) == nil
        else { return }
        // A camera that refuses keeps its own setting.
        device.tryToSet(line, to: value)
    }
}
