public import DeskWeb

extension RouteTable {
    /// Adds everything but the customers' end, attachments, entry and pages.
    public mutating func addCore(limits: APILimits) {
        addSession(limits: limits)
        addInvitations(limits: limits)
        addBusinesses(limits: limits)
        addMembers(limits: limits)
        addLabels(limits: limits)
        addKeys(limits: limits)
        addConversations(limits: limits)
        addDrafts(limits: limits)
        addMessages(limits: limits)
        addTemplates(limits: limits)
        addStreams()
        addSearch()
        addGateway(limits: limits)
    }
}
