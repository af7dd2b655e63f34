public import DeskWeb

extension RouteTable {
    /// Adds everything but the customers' end, attachments, entry and pages.
    public mutating func addCore(limits: APILimits) {
        addSession(limits: limits)
        addInvitations(limits: limits)
        addBusinesses(limits: limits)
        addMembers(limits: limits)
        addLabels(limits: limits)
        addTeams(limits: limits)
        addPresence()
        addHours(limits: limits)
        addAutomaticAnswers(limits: limits)
        addAssignment(limits: limits)
        addServiceLevels(limits: limits)
        addSatisfaction(limits: limits)
        addContacts(limits: limits)
        addAttributes(limits: limits)
        addTranscripts()
        addKeys(limits: limits)
        addConversations(limits: limits)
        addDrafts(limits: limits)
        addDelayed(limits: limits)
        addMessages(limits: limits)
        addTemplates(limits: limits)
        addStreams()
        addSearch()
        addReports()
        addMacros(limits: limits)
        addContactLinks()
        addRules(limits: limits)
        addSavedViews(limits: limits)
        addGateway(limits: limits)
        addWebhooks(limits: limits)
        addWidget(limits: limits)
    }
}
