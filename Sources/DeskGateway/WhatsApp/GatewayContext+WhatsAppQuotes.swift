import DeskBroker
import DeskJSON
import DeskModel
import DeskTranslate

extension GatewayContext {
    /// The message that a customer's message quotes, or whose button was tapped; nil for none that is known.
    mutating func quoted(
        _ name: String, in known: Conversation?, over link: GatewayLink
    ) async throws(GatewayRefusal) -> StoredMessage? {
        var found: StoredMessage?
        if let known { found = try await find(name, in: known, over: link) }
        if found == nil { remark("The message that it quotes is not known.") }
        return found
    }

    /// Most findings about one message that the wire log gets.
    static let mostLosses = 50

    /// Whether what is lost of the payload is the name of the quoted message, which is kept beside it.
    static func isQuote(_ loss: Loss) -> Bool { loss.pointer.tokens.last == "context" }
}

extension WhatsAppInbound {
    /// The name of the message that this one quotes; nil for a reaction, which is shown at its message.
    var quoted: String? {
        switch content {
        case .reaction: nil
        case .text, .file, .answer:
            context.flatMap {
                (1...Self.maximumNameBytes).contains($0.utf8.count) ? $0 : nil
            }
        }
    }
}
