public import DeskModel
import DeskStore

/// What the gateway notes of its links in the commit of a message, and only with that message.
public struct LinkNotes: Hashable, Sendable {
    /// The upstream link over which the conversation's customer is reached; nil changes nothing.
    public var upstream: GatewayLinkID?
    /// Until when what the business writes is accepted over that link; nil where that does not end.
    public var freeFormUntil: Timestamp?
    /// Ids of the uploaded objects that the message names; they are kept from now on.
    public var objects: [String]

    /// Puts the notes together.
    public init(
        upstream: GatewayLinkID? = nil, freeFormUntil: Timestamp? = nil, objects: [String] = []
    ) {
        self.upstream = upstream
        self.freeFormUntil = freeFormUntil
        self.objects = objects
    }

    /// The steps that make the notes.
    func steps(in conversation: ConversationID) -> [Write] {
        var steps: [Write] = []
        if let upstream {
            steps.append(.bind(conversation, to: upstream, freeFormUntil: freeFormUntil))
        }
        if !objects.isEmpty { steps.append(.keepObjects(objects)) }
        return steps
    }
}
