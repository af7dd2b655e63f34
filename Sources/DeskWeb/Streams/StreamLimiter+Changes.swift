import DeskModel
package import DeskStore

extension StreamLimiter {
    /// Has the streams look again whose readers lost or changed rights by changes of the registries.
    package func recheck(after notice: CredentialNotice) {
        switch notice {
        case .changes(let changes):
            for change in changes {
                if let subject = change.affectedReader { recheck(subject) }
            }
            // Who lacks one is known to the store alone, and it happens a few times in a year.
            if changes.contains(where: \.requiresSecondFactor) { recheckAll() }
        case .everything: recheckAll()
        }
    }
}

extension RegistryChange {
    fileprivate var requiresSecondFactor: Bool {
        if case .people(.requireSecondFactor(true, in: _)) = self { true } else { false }
    }

    /// Whose streams may have lost what they read by; nil where no open stream can have.
    fileprivate var affectedReader: RateSubject? {
        switch self {
        case .people(let change): change.affectedReader
        case .credentials(let change): change.affectedReader
        case .contents, .links: nil
        }
    }
}

extension PeopleChange {
    fileprivate var affectedReader: RateSubject? {
        switch self {
        case .setRole(_, of: let id, in: _), .changeMember(let id, of: _, to: _),
            .acceptInvitation(_, to: _, by: let id), .confirmSecondFactor(of: let id),
            .removeSecondFactor(of: let id):
            .agent(id)
        case .saveBusiness, .saveEntryLink, .removeEntryLink, .saveAgent, .addFirstOwner,
            .addInvitation, .removeInvitation, .pruneInvitations, .chooseAvailability,
            .savePreferences,
            .rememberDevice, .forgetDevices, .linkIdentity, .removeIdentities,
            .pruneDevices, .beginSecondFactor, .useSecondFactor, .useRecoveryCode,
            .replaceRecoveryCodes, .requireSecondFactor, .addPasskey, .usePasskey,
            .removePasskey, .removePasskeys, .provisionPerson, .unprovisionPerson,
            .provisionTeam, .unprovisionTeam, .saveApprovalRules, .moveApproval,
            .explainApproval, .pruneApprovals:
            nil
        }
    }
}

extension CredentialChange {
    fileprivate var affectedReader: RateSubject? {
        switch self {
        case .revokeKey(let id), .removeGrant(of: let id, for: _): .key(id)
        case .takeSession(_, of: let subject), .endSessions(of: let subject):
            subject.affectedReader
        // These add something, or end it later; a stream looks again by itself for that.
        case .addKey, .replaceKey, .noteKeyRequests, .confirmGrant, .touchKey, .addSession,
            .touchSession, .shortenSessions,
            .pruneSessions, .addJoinCode, .typeJoinCode, .useJoinCode, .pruneJoinCodes:
            nil
        }
    }
}

extension SessionSubject {
    fileprivate var affectedReader: RateSubject? {
        switch self {
        case .agent(let id): .agent(id)
        case .customer(let id): .customer(id)
        // One-time links open no stream, and a visitor of the sandbox reads without a session.
        case .newPassword, .setup, .sandbox: nil
        }
    }
}
