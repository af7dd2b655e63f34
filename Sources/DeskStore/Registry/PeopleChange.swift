public import DeskModel

/// A change of businesses, the people who answer for them, and their ways in.
public enum PeopleChange: Hashable, Sendable {
    /// A business was added or changed.
    case saveBusiness(BusinessID)
    /// An entry link was added or changed.
    case saveEntryLink(String, of: BusinessID)
    /// An entry link was removed.
    case removeEntryLink(String, of: BusinessID)
    /// An agent was added or changed.
    case saveAgent(AgentID)
    /// The first agent was added, as owner of every business.
    case addFirstOwner(AgentID)
    /// An agent was given a role.
    case setRole(Role, of: AgentID, in: BusinessID)
    /// A member's role was changed, or with nil the membership was ended.
    case changeMember(AgentID, of: BusinessID, to: Role?)
    /// An address was invited.
    case addInvitation(InvitationID, to: BusinessID)
    /// An invitation was withdrawn.
    case removeInvitation(InvitationID, to: BusinessID)
    /// An invitation was used up by an account, which is a member from then on.
    case acceptInvitation(InvitationID, to: BusinessID, by: AgentID)
    /// Invitations that expired before a moment were deleted.
    case pruneInvitations(before: Timestamp)
    /// An agent chose something for the own work.
    case savePreferences(of: AgentID)
    /// A device was noted for an agent.
    case rememberDevice(of: AgentID)
    /// An agent said whether to be there, or to look so.
    case chooseAvailability(of: AgentID)
    /// Every device of an agent was forgotten.
    case forgetDevices(of: AgentID)
    /// An account was linked to a person of an identity provider, whose name is the address of that one.
    case linkIdentity(of: AgentID, at: String)
    /// Every identity of an account was removed.
    case removeIdentities(of: AgentID)
    /// Devices that were not used since a moment were forgotten.
    case pruneDevices(before: Timestamp)
    /// An agent began to set up a second factor.
    case beginSecondFactor(of: AgentID)
    /// An agent's second factor is asked for from now on.
    case confirmSecondFactor(of: AgentID)
    /// An agent's code was accepted, and is not again.
    case useSecondFactor(of: AgentID)
    /// An agent's recovery code was accepted, and is not again.
    case useRecoveryCode(of: AgentID)
    /// An agent was given new recovery codes.
    case replaceRecoveryCodes(of: AgentID)
    /// An agent's second factor was removed.
    case removeSecondFactor(of: AgentID)
    /// An agent was given a passkey, which has a name.
    case addPasskey(of: AgentID, named: String)
    /// An agent's passkey signed the agent in.
    case usePasskey(of: AgentID)
    /// An agent's passkey was removed.
    case removePasskey(of: AgentID)
    /// Every passkey of an agent was removed.
    case removePasskeys(of: AgentID)
    /// What an identity provider keeps of a person of a business was added or changed.
    case provisionPerson(AgentID, of: BusinessID)
    /// What an identity provider kept of a person of a business was removed.
    case unprovisionPerson(AgentID, of: BusinessID)
    /// What an identity provider keeps of a team was added or changed.
    case provisionTeam(TeamID, of: BusinessID)
    /// What an identity provider kept of a team was removed.
    case unprovisionTeam(TeamID, of: BusinessID)
    /// A business chose what needs a second person's approval.
    case saveApprovalRules(of: BusinessID)
    /// A request for approval was added, decided or carried out.
    case moveApproval(ApprovalID, of: BusinessID, to: ApprovalState, operation: String)
    /// The author of a request for approval said why it is asked for.
    case explainApproval(ApprovalID, of: BusinessID)
    /// Requests for approval from before a moment were deleted.
    case pruneApprovals(before: Timestamp)
    /// The members of a business need a second factor, or no longer.
    case requireSecondFactor(Bool, in: BusinessID)

    /// What is written down of it.
    var facts: ChangeFacts {
        switch self {
        case .saveBusiness(let id): .kept("business_saved", id.text, of: id)
        case .saveEntryLink(let id, let business): .kept("entry_link_saved", id, of: business)
        case .removeEntryLink(let id, let business): .kept("entry_link_removed", id, of: business)
        case .saveAgent(let id): .kept("agent_saved", id.text)
        case .addFirstOwner(let id): .kept("first_owner_added", id.text)
        case .setRole(let role, let id, let business):
            .kept("role_set", id.text, of: business, detail: role.name)
        case .changeMember(let id, let business, let role?):
            .kept("member_changed", id.text, of: business, detail: role.name)
        case .changeMember(let id, let business, nil):
            .kept("member_removed", id.text, of: business)
        case .addInvitation(let id, let business):
            .kept("invitation_added", id.text, of: business)
        case .removeInvitation(let id, let business):
            .kept("invitation_removed", id.text, of: business)
        case .acceptInvitation(let id, let business, let agent):
            .kept("invitation_accepted", id.text, of: business, detail: agent.text)
        case .pruneInvitations: .bookkeeping("invitations_pruned")
        case .savePreferences(let agent): .bookkeeping("preferences_saved", agent.text)
        case .rememberDevice(let agent): .bookkeeping("device_remembered", agent.text)
        case .chooseAvailability(let agent):
            .bookkeeping("availability_chosen", agent.text)
        case .forgetDevices(let agent): .kept("devices_forgotten", agent.text)
        case .linkIdentity(let agent, let issuer):
            .kept("identity_linked", agent.text, detail: issuer)
        case .removeIdentities(let agent): .kept("identities_removed", agent.text)
        case .pruneDevices: .bookkeeping("devices_pruned")
        case .beginSecondFactor(let agent): .kept("second_factor_begun", agent.text)
        case .confirmSecondFactor(let agent): .kept("second_factor_confirmed", agent.text)
        case .useSecondFactor(let agent): .bookkeeping("second_factor_used", agent.text)
        case .useRecoveryCode(let agent): .kept("recovery_code_used", agent.text)
        case .replaceRecoveryCodes(let agent): .kept("recovery_codes_replaced", agent.text)
        case .removeSecondFactor(let agent): .kept("second_factor_removed", agent.text)
        case .addPasskey(let agent, let name): .kept("passkey_added", agent.text, detail: name)
        case .usePasskey(let agent): .bookkeeping("passkey_used", agent.text)
        case .removePasskey(let agent): .kept("passkey_removed", agent.text)
        case .removePasskeys(let agent): .kept("passkeys_removed", agent.text)
        case .provisionPerson(let id, let business):
            .kept("person_provisioned", id.text, of: business)
        case .unprovisionPerson(let id, let business):
            .kept("person_unprovisioned", id.text, of: business)
        case .provisionTeam(let id, let business):
            .kept("team_provisioned", id.text, of: business)
        case .unprovisionTeam(let id, let business):
            .kept("team_unprovisioned", id.text, of: business)
        case .saveApprovalRules(let business):
            .kept("approval_rules_saved", business.text, of: business)
        case .moveApproval(let id, let business, .waiting, let operation):
            .kept("approval_waiting", id.text, of: business, detail: operation)
        case .moveApproval(let id, let business, .approved, let operation):
            .kept("approval_approved", id.text, of: business, detail: operation)
        case .moveApproval(let id, let business, .refused, let operation):
            .kept("approval_refused", id.text, of: business, detail: operation)
        case .moveApproval(let id, let business, .withdrawn, let operation):
            .kept("approval_withdrawn", id.text, of: business, detail: operation)
        case .moveApproval(let id, let business, .used, let operation):
            .kept("approval_used", id.text, of: business, detail: operation)
        case .explainApproval(let id, _): .bookkeeping("approval_explained", id.text)
        case .pruneApprovals: .bookkeeping("approvals_pruned")
        case .requireSecondFactor(true, let business):
            .kept("second_factor_required", business.text, of: business)
        case .requireSecondFactor(false, let business):
            .kept("second_factor_optional", business.text, of: business)
        }
    }
}
