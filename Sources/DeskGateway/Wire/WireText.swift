import DeskHTTP
import DeskModel

/// What of an exchange may be kept: everything but credentials.
package enum WireText {
    /// The text that replaces a secret.
    package static let blank = "***"

    /// The fields in their order, tokens and cookies blanked.
    static func blanked(_ fields: HeaderFields) -> [HeaderField] {
        fields.all.map { field in
            switch field.name.lowercased() {
            case "authorization":
                let isBearer = field.value.lowercased().hasPrefix("bearer ")
                return HeaderField(name: field.name, value: isBearer ? "Bearer \(blank)" : blank)
            case "cookie", "set-cookie": return HeaderField(name: field.name, value: blank)
            default: return HeaderField(name: field.name, value: field.value)
            }
        }
    }

    /// Members of bodies that hold credentials: an OAuth client's secret, an access token, the
    /// encrypted one of a sign-in, and the signed addresses of files.
    private static let secretMembers = [
        "access_token", "clientSecret", "client_secret", "token", "upload-url", "download-url",
    ].map { Array("\"\($0)\"".utf8) }

    /// A body as it is kept: cut, and without the texts of those members, however they lie in it.
    ///
    /// It goes by the bytes and not by a parse, so that it holds for what is no JSON or too much of it.
    static func blanked(body: [UInt8]) -> [UInt8] {
        let text = body.prefix(WireExchange.maximumBodyBytes)
        var out: [UInt8] = []
        var kept = 0
        var place = 0
        while let quote = text[place...].firstIndex(of: UInt8(ascii: "\"")) {
            guard let value = secretValue(after: quote, in: text) else {
                place = quote + 1
                continue
            }
            out += text[kept..<value.lowerBound]
            out += blank.utf8
            (kept, place) = (value.upperBound, value.upperBound)
        }
        return kept == 0 ? body : out + text[kept...]
    }

    /// The bytes within the quotes of a text whose secret key begins at a quote.
    private static func secretValue(
        after quote: Int, in text: ArraySlice<UInt8>
    ) -> Range<Int>? {
        guard let key = secretMembers.first(where: { text[quote...].starts(with: $0) }) else {
            return nil
        }
        var rest = text[(quote + key.count)...].drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        rest = rest.drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
            end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return rest.startIndex..<min(end, rest.endIndex)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// A target without the signed part of an upload's or a download's address, and without the token by which a
    /// callback URL is verified.
    static func blanked(target: String) -> String {
        let mark = "hub.verify_token="
        if let found = target.firstRange(of: mark) {
            let rest = target[found.upperBound...].drop { $0 != "&" }
            return target[..<found.upperBound] + blank + rest
        }
        guard let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) else { return target }
        let last = target[target.index(after: slash)...]
        guard last.utf8.filter({ $0 == UInt8(ascii: ".") }).count >= 2 else { return target }
        return target[...slash] + blank
    }
}
