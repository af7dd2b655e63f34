/// A type that names one thing of the server by a UUID.
public protocol UniquelyNamed: Hashable, Sendable, CustomStringConvertible {
    /// The UUID itself.
    var value: UniqueID { get }
    /// Wraps a UUID that is known to name such a thing.
    init(_ value: UniqueID)
}

extension UniquelyNamed {
    /// Reads the UUID's text in either case; anything else is nil.
    public init?(_ text: some StringProtocol) {
        guard let value = UniqueID(text) else { return nil }
        self.init(value)
    }

    /// Makes a new name from random bits of the caller's.
    public init(using random: inout some RandomNumberGenerator) {
        self.init(UniqueID(using: &random))
    }

    /// The canonical lower-case text.
    public var text: String { value.text }

    /// The same as `text`; safe to log.
    public var description: String { value.text }
}

/// Names a business.
public struct BusinessID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names one conversation for its whole life; safe to log.
public struct ConversationID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a person who answers customers.
public struct AgentID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names an API key; its public part, not its secret.
public struct KeyID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names an invitation to join a business; not its link's token.
public struct InvitationID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a request that waits for a second person's approval.
public struct ApprovalID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a passkey of an account; not the authenticator's own name of it.
public struct PasskeyID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a note that agents left in a conversation.
public struct NoteID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names what a business knows of a person; the UUID of the conversation that it was made with.
public struct ContactID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names the definition of an attribute.
public struct AttributeID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a label of a business.
public struct LabelID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a file of a business's library.
public struct LibraryFileID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names an answer that is suggested in a conversation.
public struct SuggestionID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a bot of a business.
public struct BotID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a team of a business.
public struct TeamID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a rule of a business.
public struct TeamRuleID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a macro of a business or of one agent.
public struct MacroID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a saved view of a business or of one agent.
public struct SavedViewID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names one delivery target that receives events: a webhook, a provider, an upstream gateway.
public struct OutboxID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names a link to a provider behind our gateway or to an upstream gateway.
public struct GatewayLinkID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names one run of a script of customers.
public struct ScriptRunID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}

/// Names an endpoint of a business to which events are posted; its outbox has the same UUID.
public struct WebhookID: UniquelyNamed {
    /// The UUID itself.
    public let value: UniqueID
    /// Wraps a UUID.
    public init(_ value: UniqueID) { self.value = value }
}
