#if Media
internal import PipCompose
internal import PipMedia
package import PipRecordings

extension Recording: JSONConvertible {
    /// The recording as `recordings --json` and the panel's API show it; times are in seconds since 1970.
    package var json: JSON {
        .object([
            "name": name, "start": JSON.number(start.sinceEpoch.inSeconds, decimals: 3),
            "duration": JSON.number(duration.inSeconds, decimals: 3), "bytes": bytes,
            "cameras": JSON.array(cameras.map { .string($0) }),
            "moments": JSON.array(
                moments.map { .object(["offset": Int($0.offset.components.seconds), "text": $0.text]) }),
            "state": state.rawValue, "locked": isLocked,
        ])
    }
}
#endif
