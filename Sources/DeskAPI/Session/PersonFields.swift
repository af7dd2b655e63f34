import DeskBytes
import DeskWeb

extension Fields {
    /// Most bytes of a name.
    static let nameBytes = 100

    /// A person's or thing's name: 1 to 100 bytes, no control bytes.
    mutating func requireName(_ name: String = "name") -> String? {
        guard let text = requireText(name, bytes: 1...Self.nameBytes) else { return nil }
        guard Self.isName(text) else {
            note(name, "a line of text", "Take control characters out of \(name).")
            return nil
        }
        return text
    }

    /// Whether a text is a line that shows something.
    static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && text.utf8.contains { $0 != 0x20 }
    }

    /// An e-mail address as far as it can be judged without sending to it, A to Z in lower case.
    mutating func requireEmail() -> String? {
        guard let text = requireText("email", bytes: 3...254) else { return nil }
        guard let email = Self.normalEmail(text) else {
            note("email", "an e-mail address", "Write the address as name@example.com.")
            return nil
        }
        return email
    }

    /// An address as accounts have it; nil for what is none.
    static func normalEmail(_ text: String) -> String? {
        let bytes = ASCII.lowercased(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let isPlain = bytes.allSatisfy {
            $0 > 0x20 && $0 != 0x7F && !"<>,;\"()\\".utf8.contains($0)
        }
        guard (3...254).contains(bytes.count), parts.count == 2, !parts[0].isEmpty,
            !parts[1].isEmpty, isPlain
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A new password that the rule lets pass.
    mutating func requireNewPassword(
        _ rule: PasswordRule, names: [String?], as name: String = "password"
    ) -> String? {
        // The rule counts characters itself; this bound only limits how much is read.
        guard let text = requireText(name, bytes: 1...16_384) else { return nil }
        if let refusal = rule.refusal(of: text, names: names.compactMap(\.self)) {
            noteSecret(
                name, found: refusal.found, allowed: rule.allowed, length: refusal.length,
                fix: "\(refusal.sentence) Choose another one.")
            return nil
        }
        return text
    }
}
