/// Percent-encoding of a text in UTF-8.
///
/// Source: RFC 3986, 2.1 "Percent-Encoding".
extension String {
    /// The text with all bytes but those of unreserved characters percent-encoded.
    package var percentEncoded: String {
        utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(scalar)
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The text with percent-encoded bytes decoded; nil for a `%` without two digits, and for bytes that are not UTF-8.
    package var percentDecoded: String? {
        let (bytes, isValid) = decodedPercents
        return isValid ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The text with percent-encoded bytes decoded; a `%` without two digits stays, and bytes that are not UTF-8 are
    /// replaced.
    package var lenientlyPercentDecoded: String { String(decoding: decodedPercents.bytes, as: UTF8.self) }

    /// The decoded bytes, and whether two digits follow each `%`.
    private var decodedPercents: (bytes: [UInt8], isValid: Bool) {
        var (bytes, isValid): ([UInt8], Bool) = ([], true)
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            rest.removeFirst(digits.count)
            // `UInt8.init` accepts a sign in the place of a digit, too.
            let hasSign = digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-")
            if digits.count == 2, !hasSign, let value = UInt8(Substring(digits), radix: 16) {
                bytes.append(value)
            } else {
                bytes += [byte] + digits
                isValid = false
            }
        }
        return (bytes, isValid)
    }
}
