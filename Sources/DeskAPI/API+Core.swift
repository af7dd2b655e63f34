extension RouteTable {
    /// Adds everything but the customers' end, the sandbox, attachments, payment, entry and pages.
    public mutating func addCore(limits: APILimits) {
        addSession(limits: limits)
        addInvitations(limits: limits)
        addBusinesses(limits: limits)
        addMembers(limits: limits)
        addKeys(limits: limits)
        addConversations(limits: limits)
        addMessages(limits: limits)
        addTemplates(limits: limits)
        addStreams()
        addSearch()
        addGateway(limits: limits)
    }
}
