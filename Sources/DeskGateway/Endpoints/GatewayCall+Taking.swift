import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel

extension GatewayCall {
    /// A provider's message in the form in which the customer's end gets it.
    struct Taken {
        var kind: MessageKind
        var payload: [UInt8]
        var attachments: [AttachmentUse] = []
    }

    /// Fetches what the message only refers to: its attachments and a large payload.
    mutating func take(
        _ kind: MessageKind, _ judgement: Judgement, _ posted: [UInt8], of link: GatewayLink
    ) async throws(GatewayRefusal) -> Taken {
        Taken(kind: kind, payload: posted)
    }

    /// The answer's body: `dataRef` where the provider asked for one (protocol page 1.2, 3.13).
    func dataReference(
        _ kind: MessageKind, _ judgement: Judgement, _ id: MessageID, of link: GatewayLink
    ) async throws(GatewayRefusal) -> Response {
        Response(status: .ok)
    }
}
