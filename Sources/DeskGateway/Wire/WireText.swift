import DeskHTTP
import DeskModel

/// What of an exchange may be kept: everything but what would let somebody in.
enum WireText {
    /// What stands where a secret stood.
    static let blank = "***"

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

    /// A target without the signed part of an upload's or a download's address.
    static func blanked(target: String) -> String {
        guard let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) else { return target }
        let last = target[target.index(after: slash)...]
        guard last.utf8.filter({ $0 == UInt8(ascii: ".") }).count >= 2 else { return target }
        return target[...slash] + blank
    }
}
