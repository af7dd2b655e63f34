import DeskBytes
import DeskCrypto
public import DeskModel

/// The large replies that the gateway keeps beside their messages, so that a provider fetches them.
extension GatewayLink {
    /// What a reply is kept for, from which its object's name and key are derived.
    public static func purpose(ofReply message: MessageID) -> String { "reply \(message.text)" }

    /// The name of the object that is kept for a purpose over this link: the last part of its address.
    public func objectName(for purpose: String) -> String {
        let code = HMACSHA256.code(for: Array("mmcs object \(purpose)".utf8), key: secret)
        return Hex.encode(code.prefix(16))
    }
}

extension LoadedLinks {
    /// The names under which some messages may be kept for a business's provider; most of them name nothing.
    public func replies(of messages: [MessageID], in business: BusinessID) -> [String] {
        guard let link = find(.provider, of: business), !link.isSecretUnreadable else { return [] }
        return messages.map { link.objectName(for: GatewayLink.purpose(ofReply: $0)) }
    }
}
