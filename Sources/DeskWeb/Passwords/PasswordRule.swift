import DeskBytes

/// What a password has to be: 15 to 256 characters, any of them, and not a common one.
public struct PasswordRule: Sendable {
    /// Why a password is refused.
    public enum Refusal: Error, Sendable, Equatable {
        case tooShort(least: Int, actual: Int)
        case tooLong(most: Int, actual: Int)
        case common
        case repetitive
        case namesPerson

        /// The refusal as a sentence for the person who chose it.
        public var sentence: String {
            switch self {
            case .tooShort(let least, let actual):
                "The password has \(actual) characters; it needs at least \(least)."
            case .tooLong(let most, let actual):
                "The password has \(actual) characters; at most \(most) are allowed."
            case .common: "The password is made of words that everybody tries first."
            case .repetitive: "The password repeats a few characters, or counts them up or down."
            case .namesPerson: "The password is little more than the name or the e-mail address."
            }
        }

        /// What was found, in words that show nothing of the password but its length.
        public var found: String {
            switch self {
            case .tooShort(_, let actual), .tooLong(_, let actual):
                "a password of \(actual) characters"
            case .common: "a password made of words that everybody tries first"
            case .repetitive: "a password that repeats a few characters, or counts them up or down"
            case .namesPerson: "a password little more than the name or the e-mail address"
            }
        }

        /// The bound that was passed and the number of characters that passed it; nil for others.
        public var length: (limit: Int, actual: Int)? {
            switch self {
            case .tooShort(let limit, let actual), .tooLong(let limit, let actual): (limit, actual)
            case .common, .repetitive, .namesPerson: nil
            }
        }
    }

    private let least: Int
    private let most: Int

    /// Reads the bounds from the limits.
    public init(limits: WebLimits) {
        least = limits.passwordLeast
        most = limits.passwordMost
    }

    /// What a password has to be, in words.
    public var allowed: String {
        "\(least) to \(most) characters that are hard to guess, such as a few words in a row"
    }

    /// Judges a password for a person; nil when it is good.
    ///
    /// Characters are counted as Unicode scalars; case does not make a common password uncommon.
    public func refusal(of password: String, names: [String]) -> Refusal? {
        let count = password.unicodeScalars.count
        guard count >= least else { return .tooShort(least: least, actual: count) }
        guard count <= most, password.utf8.count <= most * 4 else {
            return .tooLong(most: most, actual: count)
        }
        let lower = ASCII.lowercased(password.utf8)
        if Self.isRepetitive(lower) { return .repetitive }
        if CommonPasswords.contains(lower) { return .common }
        for name in names {
            let parts = [ASCII.lowercased(name.utf8)] + Self.words(ASCII.lowercased(name.utf8))
            for part in parts where part.count >= 4 {
                let rest = Self.removing(part, from: lower)
                if rest.count < lower.count, rest.count < 8 { return .namesPerson }
            }
        }
        return nil
    }

    /// Whether at most four characters are used, a short piece is repeated, or each is the one before
    /// plus or minus one.
    private static func isRepetitive(_ text: [UInt8]) -> Bool {
        if Set(text).count <= 4 { return true }
        for period in 1...min(8, text.count / 2)
        where text.indices.dropFirst(period).allSatisfy({ text[$0] == text[$0 - period] }) {
            return true
        }
        var steps = 0
        for (left, right) in zip(text, text.dropFirst()) where abs(Int(left) - Int(right)) == 1 {
            steps += 1
        }
        return steps * 10 >= (text.count - 1) * 9
    }

    private static func words(_ text: [UInt8]) -> [[UInt8]] {
        text.split { !(ASCII.isAlphanumeric($0) || $0 >= 0x80) }.map(Array.init)
    }

    private static func removing(_ part: [UInt8], from text: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index...].starts(with: part) {
                index += part.count
            } else {
                rest.append(text[index])
                index += 1
            }
        }
        return rest
    }
}
