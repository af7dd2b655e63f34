import DeskBytes

/// A feature that a device announces in the header `capability-list`.
public enum Capability: String, Sendable, CaseIterable {
    /// Quick replies.
    case quick = "QUICK"
    /// List pickers.
    case list = "LIST"
    /// Time pickers.
    case time = "TIME"
    /// Sign-in, first version.
    case auth = "AUTH"
    /// Sign-in, second version.
    case auth2 = "AUTH2"
    /// Forms.
    case form = "FORM"

    /// Whether the feature is a sign-in, for which the sandbox has a page in test businesses only.
    public var isSignIn: Bool {
        switch self {
        case .auth, .auth2: true
        case .quick, .list, .time, .form: false
        }
    }
}

/// What a customer's devices can show, as the header `capability-list` says it.
public struct CapabilityList: Hashable, Sendable {
    /// A bit for each feature: a list is made for every message that is judged.
    private var bits: UInt8 = 0

    /// The known features; unknown words of the header are dropped.
    public var features: Set<Capability> { Set(Capability.allCases.filter(contains)) }

    /// A list of known features.
    public init(_ features: Set<Capability>) {
        for feature in features { bits |= Self.bit(feature) }
    }

    /// Reads words in capitals, as ``words`` writes them; others are dropped.
    public init(words: [String]) {
        for word in words {
            if let feature = Capability(rawValue: word) { bits |= Self.bit(feature) }
        }
    }

    /// Reads the header: words with commas between (`%2C` too), in any case.
    public init(header: String) {
        var words: [String] = []
        var word: [UInt8] = []
        func take() {
            words.append(String(decoding: word, as: UTF8.self))
            word = []
        }
        let bytes = Array(header.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ",") {
                take()
            } else if byte == UInt8(ascii: "%"), bytes.count - index > 2,
                bytes[index + 1] == UInt8(ascii: "2"), bytes[index + 2] | 0x20 == UInt8(ascii: "c")
            {
                take()
                index += 2
            } else if ASCII.isAlphanumeric(byte) {
                word.append(ASCII.isLetter(byte) ? byte & 0xDF : byte)
            }
            index += 1
        }
        take()
        self.init(words: words)
    }

    /// Whether a feature is announced.
    public func contains(_ feature: Capability) -> Bool { bits & Self.bit(feature) != 0 }

    /// The words, in the order of the protocol's table.
    public var words: [String] {
        Capability.allCases.filter(contains).map(\.rawValue)
    }

    /// The header's text.
    public var header: String { words.joined(separator: ",") }

    private static func bit(_ feature: Capability) -> UInt8 {
        switch feature {
        case .quick: 1
        case .list: 2
        case .time: 4
        case .auth: 8
        case .auth2: 16
        case .form: 32
        }
    }
}
