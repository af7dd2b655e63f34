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
}

/// What a customer's devices can show, as the header `capability-list` says it.
public struct CapabilityList: Hashable, Sendable {
    /// The known features; unknown words of the header are dropped.
    public let features: Set<Capability>

    /// Takes known features.
    public init(_ features: Set<Capability>) { self.features = features }

    /// Reads the header: words with commas between (`%2C` too), in any case.
    public init(header: String) {
        var features: Set<Capability> = []
        var word: [UInt8] = []
        func take() {
            let text = String(decoding: word, as: UTF8.self)
            if let feature = Capability(rawValue: text) { features.insert(feature) }
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
        self.features = features
    }

    /// Whether a feature is announced.
    public func contains(_ feature: Capability) -> Bool { features.contains(feature) }

    /// The words, in the order of the protocol's table.
    public var words: [String] {
        Capability.allCases.filter(features.contains).map(\.rawValue)
    }

    /// The header's text.
    public var header: String { words.joined(separator: ",") }
}
