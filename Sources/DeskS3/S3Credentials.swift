/// What requests to an S3 server are signed with.
public struct S3Credentials: Sendable, Equatable, CustomStringConvertible {
    /// The public name of the key.
    public let keyID: String
    /// The secret; never sent, logged or shown.
    let secret: String

    /// Puts the two together; nil when one is empty or has a byte that no key has.
    public init?(keyID: String, secret: String) {
        let isPlain = (keyID + secret).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isPlain, !keyID.isEmpty, !secret.isEmpty, !keyID.utf8.contains(UInt8(ascii: "/"))
        else {
            return nil
        }
        self.keyID = keyID
        self.secret = secret
    }

    /// Reads the file that every tool for S3 reads: `aws_access_key_id` and `aws_secret_access_key` of the
    /// section `default`, or of no section.
    public init?(file bytes: [UInt8]) {
        var values: [String: String] = [:]
        var isOurs = true
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("[") {
                isOurs = line == "[default]"
                continue
            }
            guard isOurs, let sign = line.firstIndex(of: "=") else { continue }
            let name = Self.trimmed(line[..<sign])
            values[String(name)] = String(Self.trimmed(line[line.index(after: sign)...]))
        }
        guard let keyID = values["aws_access_key_id"], let secret = values["aws_secret_access_key"]
        else { return nil }
        self.init(keyID: keyID, secret: secret)
    }

    /// The public name alone.
    public var description: String { keyID }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
