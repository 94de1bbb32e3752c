#if Media
import PipMedia

/// Tries the H.264 and H.265 encoders that recordings and streams use.
struct EncoderCheck {
    let findings: [Finding]

    init() { self.init(EncoderSurvey()) }

    init(_ survey: EncoderSurvey) {
        guard let engine = survey.engine else {
            findings = [
                Finding(
                    subject: "encoders", severity: .problem, detail: "GStreamer does not start: nothing is recorded",
                    remedy: "sudo apt-get install gstreamer1.0-plugins-base")
            ]
            return
        }
        var findings: [Finding] = []
        for codec in [VideoCodec.h264, .h265] {
            let encoders = survey.encoders.filter { $0.codec == codec }
            let works = encoders.contains { $0.failure == nil }
            let texts = encoders.map(Self.text)
            findings.append(
                Finding(
                    subject: codec.name,
                    severity: works ? .ok : codec == .h264 ? .problem : .note,
                    detail: texts.isEmpty ? "no encoder is installed" : "\(engine): " + texts.joined(separator: "; "),
                    remedy: works ? nil : "sudo " + EncoderSurvey.remedy(for: codec)))
        }
        self.findings = findings
    }

    private static func text(_ encoder: EncoderSurvey.Encoder) -> String {
        let kind = encoder.isHardware ? "hardware" : "software"
        if let failure = encoder.failure { return "\(encoder.name): \(failure)" }
        let time = encoder.timePerFrame.map { ", \(fixedNumber($0.milliseconds, decimals: 1)) ms a frame of 720p" }
        return "\(encoder.name) (\(kind), \(encoder.licence)\(time ?? ""))"
    }
}
#else
/// Stands in for the check in a program that was built without media.
struct EncoderCheck {
    let findings = [
        Finding(
            subject: "encoders", severity: .note,
            detail: "this pip-compose was built without movies, streams and sound",
            remedy: "build with the trait Media, which is on by default")
    ]
}
#endif
