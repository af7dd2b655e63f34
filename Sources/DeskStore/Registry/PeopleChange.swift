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
    /// Devices that were not used since a moment were forgotten.
    case pruneDevices(before: Timestamp)

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
        case .pruneDevices: .bookkeeping("devices_pruned")
        }
    }
}
