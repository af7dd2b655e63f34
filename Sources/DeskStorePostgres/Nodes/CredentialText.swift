import DeskModel
import DeskStore

/// Changes that may revoke, in words: what one node records for the others, whichever version they run.
enum CredentialText {
    /// What stands for a change that cannot be written, or read: anything may have changed.
    static let everything = "everything"

    /// The changes in words, one on each line; only those that may revoke.
    static func text(of changes: [RegistryChange]) -> String {
        changes.filter(\.mayRevoke).map { words(of: $0) ?? everything }.joined(separator: "\n")
    }

    /// Reads what `text` wrote; what a newer program wrote may be anything.
    static func notice(_ text: String) -> CredentialNotice {
        var changes: [RegistryChange] = []
        for line in text.split(separator: "\n") {
            guard let change = change(NoticeText.words(line)) else { return .everything }
            changes.append(change)
        }
        return .changes(changes)
    }

    private static func words(of change: RegistryChange) -> String? {
        switch change {
        case .people(let change): words(of: change)
        case .credentials(let change): words(of: change)
        case .links(.saveLink(let id, let business)): "save-link \(id.text) \(business.text)"
        // What is ended is the link; the audit alone says of which business.
        case .links(.removeLink(let id, _)): "remove-link \(id.text)"
        case .links, .contents: nil
        }
    }

    private static func words(of change: PeopleChange) -> String? {
        switch change {
        case .saveBusiness(let id): "save-business \(id.text)"
        case .saveAgent(let id): "save-agent \(id.text)"
        case .addFirstOwner(let id): "add-first-owner \(id.text)"
        case .setRole(let role, let agent, let business):
            "set-role \(agent.text) \(business.text) \(role.name)"
        case .changeMember(let agent, let business, let role):
            "change-member \(agent.text) \(business.text) "
                + NoticeText.word(ifAny: role?.name)
        case .acceptInvitation(let id, let business, let agent):
            "accept-invitation \(id.text) \(business.text) \(agent.text)"
        case .confirmSecondFactor(let id): "confirm-second-factor \(id.text)"
        case .removeSecondFactor(let id): "remove-second-factor \(id.text)"
        case .requireSecondFactor(true, let id): "require-second-factor \(id.text)"
        case .requireSecondFactor(false, let id): "allow-one-factor \(id.text)"
        case .saveEntryLink, .removeEntryLink, .addInvitation, .removeInvitation,
            .pruneInvitations, .savePreferences, .rememberDevice, .chooseAvailability,
            .forgetDevices, .linkIdentity, .removeIdentities, .pruneDevices,
            .beginSecondFactor, .useSecondFactor,
            .useRecoveryCode, .replaceRecoveryCodes, .addPasskey, .usePasskey, .removePasskey,
            .removePasskeys, .provisionPerson, .unprovisionPerson, .provisionTeam,
            .unprovisionTeam, .saveApprovalRules, .moveApproval,
            .explainApproval, .pruneApprovals:
            nil
        }
    }

    private static func words(of change: CredentialChange) -> String? {
        switch change {
        case .revokeKey(let id): "revoke-key \(id.text)"
        case .replaceKey(let id, let next): "replace-key \(id.text) \(next.text)"
        case .removeGrant(let id, let business): "remove-grant \(id.text) \(business.text)"
        case .confirmGrant(let id, let business): "confirm-grant \(id.text) \(business.text)"
        case .takeSession(let token, let subject): "end-session \(token) \(words(of: subject))"
        case .endSessions(let subject): "end-sessions \(words(of: subject))"
        case .shortenSessions(let subject): "shorten-sessions \(words(of: subject))"
        case .addKey, .touchKey, .noteKeyRequests, .addSession, .touchSession, .pruneSessions,
            .addJoinCode,
            .typeJoinCode, .useJoinCode, .pruneJoinCodes:
            nil
        }
    }

    private static func words(of subject: SessionSubject) -> String {
        switch subject {
        case .agent(let id): "agent \(id.text)"
        case .customer(let id): "customer \(id.text)"
        case .newPassword(let id): "new-password \(id.text)"
        case .sandbox: "sandbox -"
        case .setup: "setup -"
        }
    }

    private static func change(_ words: [Substring]) -> RegistryChange? {
        guard words.count >= 2 else { return nil }
        if words[0] == "end-session" {
            guard words.count == 4, let token = Digest(words[1]),
                let subject = subject(words[2...])
            else { return nil }
            return .credentials(.takeSession(token, of: subject))
        }
        if let subject = subject(words[1...]) {
            return switch words[0] {
            case "end-sessions": .credentials(.endSessions(of: subject))
            case "shorten-sessions": .credentials(.shortenSessions(of: subject))
            default: nil
            }
        }
        let ids = words.dropFirst().prefix(3).map { UniqueID($0) }
        guard let first = ids[0] else { return nil }
        if words.count == 2 { return ofOne(words[0], first) }
        guard let second = ids[1] else { return nil }
        let business = BusinessID(second)
        switch (words[0], words.count) {
        case ("remove-grant", 3): return .credentials(.removeGrant(of: KeyID(first), for: business))
        case ("replace-key", 3):
            return .credentials(.replaceKey(KeyID(first), by: KeyID(second)))
        case ("confirm-grant", 3):
            return .credentials(.confirmGrant(of: KeyID(first), for: business))
        case ("save-link", 3): return .links(.saveLink(GatewayLinkID(first), of: business))
        case ("set-role", 4):
            return Role(String(words[3])).map {
                .people(.setRole($0, of: AgentID(first), in: business))
            }
        case ("change-member", 4):
            let role = Role(String(words[3]))
            guard role != nil || words[3] == "-" else { return nil }
            return .people(.changeMember(AgentID(first), of: business, to: role))
        case ("accept-invitation", 4):
            return ids[2].map {
                .people(.acceptInvitation(InvitationID(first), to: business, by: AgentID($0)))
            }
        default: return nil
        }
    }

    private static func ofOne(_ kind: Substring, _ id: UniqueID) -> RegistryChange? {
        switch kind {
        case "save-business": .people(.saveBusiness(BusinessID(id)))
        case "save-agent": .people(.saveAgent(AgentID(id)))
        case "add-first-owner": .people(.addFirstOwner(AgentID(id)))
        case "confirm-second-factor": .people(.confirmSecondFactor(of: AgentID(id)))
        case "remove-second-factor": .people(.removeSecondFactor(of: AgentID(id)))
        case "require-second-factor": .people(.requireSecondFactor(true, in: BusinessID(id)))
        case "allow-one-factor": .people(.requireSecondFactor(false, in: BusinessID(id)))
        case "revoke-key": .credentials(.revokeKey(KeyID(id)))
        case "remove-link": .links(.removeLink(GatewayLinkID(id), of: nil))
        default: nil
        }
    }

    private static func subject(_ words: ArraySlice<Substring>) -> SessionSubject? {
        guard words.count == 2, let kind = words.first, let name = words.last else { return nil }
        let id = UniqueID(name)
        return switch kind {
        case "agent": id.map { .agent(AgentID($0)) }
        case "customer": id.map { .customer(ConversationID($0)) }
        case "new-password": id.map { .newPassword(AgentID($0)) }
        case "sandbox": .sandbox
        case "setup": .setup
        default: nil
        }
    }
}
