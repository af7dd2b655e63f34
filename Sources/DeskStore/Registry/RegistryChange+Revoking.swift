extension RegistryChange {
    /// Whether a node that remembers what it looked up must apply it before it is answered.
    ///
    /// True of every change of what nodes remember, but of those that only count a use, or delete what
    /// was refused already. What no node remembers needs no mention: each lookup reads the store.
    public var mayRevoke: Bool {
        switch self {
        case .people(let change): change.mayRevoke
        case .credentials(let change): change.mayRevoke
        case .links(let change): change.mayRevoke
        case .contents: false
        }
    }
}

extension PeopleChange {
    fileprivate var mayRevoke: Bool {
        switch self {
        // An agent has the password, and a business its mode.
        case .saveBusiness, .saveAgent, .addFirstOwner, .setRole, .changeMember,
            .acceptInvitation, .confirmSecondFactor, .removeSecondFactor, .requireSecondFactor:
            true
        case .saveEntryLink, .removeEntryLink, .addInvitation, .removeInvitation,
            .pruneInvitations, .chooseAvailability, .savePreferences, .rememberDevice,
            .forgetDevices, .linkIdentity, .removeIdentities, .pruneDevices,
            .beginSecondFactor, .useSecondFactor,
            .useRecoveryCode, .replaceRecoveryCodes, .addPasskey, .usePasskey, .removePasskey,
            .removePasskeys, .provisionPerson, .unprovisionPerson, .provisionTeam,
            .unprovisionTeam, .saveApprovalRules, .moveApproval,
            .explainApproval, .pruneApprovals:
            false
        }
    }
}

extension CredentialChange {
    fileprivate var mayRevoke: Bool {
        switch self {
        case .revokeKey, .replaceKey, .removeGrant, .confirmGrant, .takeSession, .endSessions,
            .shortenSessions:
            true
        case .addKey, .touchKey, .noteKeyRequests, .addSession, .touchSession, .pruneSessions,
            .addJoinCode,
            .typeJoinCode, .useJoinCode, .pruneJoinCodes:
            false
        }
    }
}

extension LinkChange {
    fileprivate var mayRevoke: Bool {
        switch self {
        case .saveLink, .removeLink, .saveWebhook, .removeWebhook: true
        case .bindUpstream, .saveObject, .keepObjects, .pruneObjects, .noteExchange, .openOutbox,
            .closeOutbox, .enqueue, .claim, .settleDelivery, .noteReceipt, .requeue, .reschedule,
            .pruneDeliveries, .noteHandshake, .settleWebhooks, .removeDeliveries:
            false
        }
    }
}
