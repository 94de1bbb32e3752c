#if Media
import PipMedia

/// Checks whether GStreamer can decode the transparency of WebM movies.
struct TransparencyCheck {
    var findings: [Finding] {
        guard let obstacle = MovieAlpha.obstacle else { return [] }
        return [
            Finding(
                subject: "movies", severity: .note,
                detail: "VP8 and VP9 are shown without their transparency: \(obstacle)")
        ]
    }
}
#endif
