import DeskBytes
import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Judges a pointer to encrypted bytes.
    mutating func judgeReference(_ reference: JSONValue) {
        if let signature = reference["signature-base64"] { judgeChecksum(signature) }
        if let url = reference["url"] { judgeEncoding(of: url) }
    }

    /// Judges whether what ought to be base64 of a checksum is hexadecimal.
    mutating func judgeChecksum(_ node: JSONValue) {
        // The shortest checksum in use has 16 bytes; by chance no base64 of one is hexadecimal.
        guard node.range.count >= 34, let text = node.stringBytes, Base64Shape.isHexadecimal(text),
            let bytes = Hex.decode(text)
        else { return }
        note(
            .hexAsBase64, at: node, found: "\(text.count) hexadecimal digits",
            allowed: "base64 of the \(bytes.count) bytes",
            fix: "Decode the digits to bytes, and encode those as base64.",
            edits: [.replace(node, withString: Base64.encode(bytes))])
    }

    /// Judges whether an address was percent-encoded once more than needed.
    mutating func judgeEncoding(of node: JSONValue) {
        guard node.rawBytes.contains(UInt8(ascii: "%")), let bytes = node.stringBytes else {
            return
        }
        var once: [UInt8] = []
        var index = 0
        while index < bytes.count {
            once.append(bytes[index])
            index += Self.isEncodedTwice(bytes, at: index) ? 3 : 1
        }
        guard once.count < bytes.count, mayNote(.linkEncodedTwice) else { return }
        note(
            .linkEncodedTwice, at: node, found: "a percent sign that was itself encoded",
            allowed: "an address that is percent-encoded once", fix: "Encode it once.",
            edits: [.replace(node, withString: String(decoding: once, as: UTF8.self))])
    }

    /// Whether `%25` and two hexadecimal digits are at a place.
    private static func isEncodedTwice(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "%") && index + 4 < bytes.count
            && bytes[index + 1] == UInt8(ascii: "2") && bytes[index + 2] == UInt8(ascii: "5")
            && ASCII.hexValue(bytes[index + 3]) != nil && ASCII.hexValue(bytes[index + 4]) != nil
    }
}
