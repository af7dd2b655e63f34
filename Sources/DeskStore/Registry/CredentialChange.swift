public import DeskModel

/// A change of keys, sessions and join codes.
public enum CredentialChange: Hashable, Sendable {
    /// A key was added.
    case addKey(KeyID)
    /// A key was revoked.
    case revokeKey(KeyID)
    /// A key's grant was ended.
    case removeGrant(of: KeyID, for: BusinessID)
    /// An owner answers for a key's grant.
    case confirmGrant(of: KeyID, for: BusinessID)
    /// A key was used.
    case touchKey(KeyID)
    /// A key got a successor and an end.
    case replaceKey(KeyID, by: KeyID)
    /// Requests of keys were added, or forgotten.
    case noteKeyRequests
    /// A session or one-time link began.
    case addSession(of: SessionSubject)
    /// A session was used.
    case touchSession(Digest)
    /// A session was ended by its holder, or a one-time link was used up.
    case takeSession(Digest, of: SessionSubject)
    /// Every session of a subject was ended.
    case endSessions(of: SessionSubject)
    /// The sessions of a subject were shortened.
    case shortenSessions(of: SessionSubject)
    /// Sessions that expired before a moment were deleted.
    case pruneSessions(before: Timestamp)
    /// A join code was added.
    case addJoinCode(String, of: BusinessID)
    /// A join code was typed wrongly, which costs it a try.
    case typeJoinCode
    /// A join code was used for a conversation.
    case useJoinCode(for: ConversationID)
    /// Join codes that expired before a moment were deleted.
    case pruneJoinCodes(before: Timestamp)

    /// What is written down of it; of a session's token nothing is.
    var facts: ChangeFacts {
        switch self {
        case .addKey(let id): .kept("key_added", id.text)
        case .revokeKey(let id): .kept("key_revoked", id.text)
        case .removeGrant(let id, let business): .kept("grant_removed", id.text, of: business)
        case .confirmGrant(let id, let business): .kept("grant_confirmed", id.text, of: business)
        case .touchKey(let id): .bookkeeping("key_used", id.text)
        case .replaceKey(let id, let next): .kept("key_replaced", id.text, detail: next.text)
        case .noteKeyRequests: .bookkeeping("key_requests_noted")
        case .addSession(let subject): subject.facts("session_begun")
        case .touchSession: .bookkeeping("session_used")
        case .takeSession(_, let subject): subject.facts("session_ended")
        case .endSessions(let subject): subject.facts("sessions_ended")
        case .shortenSessions(let subject): subject.facts("sessions_shortened")
        case .pruneSessions: .bookkeeping("sessions_pruned")
        case .addJoinCode(let id, let business):
            .bookkeeping("join_code_added", id, of: business)
        case .typeJoinCode: .bookkeeping("join_code_typed")
        case .useJoinCode(let conversation): .bookkeeping("join_code_used", conversation.text)
        case .pruneJoinCodes: .bookkeeping("join_codes_pruned")
        }
    }
}

extension SessionSubject {
    /// Who acts with a session of this subject.
    package var author: Author {
        switch self {
        case .agent(let id), .newPassword(let id): .agent(id)
        case .customer: .customer(device: "")
        case .sandbox: .script("sandbox")
        case .setup: .server
        }
    }

    fileprivate var name: String {
        switch self {
        case .agent(let id), .newPassword(let id): id.text
        case .customer(let id): id.text
        case .sandbox, .setup: ""
        }
    }

    /// A change of its sessions; those of customers are bookkeeping, a few for each customer.
    fileprivate func facts(_ kind: String) -> ChangeFacts {
        switch self {
        case .agent: .kept(kind, name, detail: "agent")
        case .newPassword: .kept(kind, name, detail: "new_password")
        case .setup: .kept(kind, name, detail: "setup")
        case .sandbox: .kept(kind, name, detail: "sandbox")
        case .customer: .bookkeeping(kind, name)
        }
    }
}
