package import DeskModel

/// What a store found for a `Lookup`, one function for each.
extension GroupDecision {
    /// The row of a conversation, or that there is none.
    package mutating func found(_ row: consuming ConversationRow?, as id: ConversationID) {
        if let row { keep(row) } else { missing.append(id) }
    }

    /// The row of a customer's conversation with a business, or that there is none.
    package mutating func found(
        _ row: ConversationRow?, of customer: CustomerID, with business: BusinessID
    ) {
        if let row { keep(row) }
        rows.conversationsOf.updateValue(
            row?.conversation.id, forKey: .init(customer: customer, business: business))
    }

    /// The number of a business's row, or that there is none.
    package mutating func found(_ number: Int64?, as id: BusinessID) {
        rows.businesses.updateValue(number, forKey: id)
    }

    /// The message of an id, or that there is none.
    package mutating func found(
        _ message: KnownMessage?, as id: MessageID, in conversation: ConversationID
    ) {
        rows.messages.updateValue(message, forKey: .init(id: id, conversation: conversation))
    }

    /// Whether one of these messages was erased.
    package mutating func found(
        areErased: Bool, among ids: [MessageID], in conversation: ConversationID
    ) {
        rows.erased[.init(ids: ids, conversation: conversation)] = areErased
    }

    /// The answer that settled a request, or that none did.
    package mutating func found(
        settlement answer: MessageID?, of request: MessageID, in conversation: ConversationID
    ) {
        rows.settlements.updateValue(
            answer, forKey: .init(id: request, conversation: conversation))
    }

    /// Whether another sender than an author wrote to the customer after a message.
    package mutating func found(
        isAnswered: Bool, in conversation: ConversationID, after sequence: SequenceNumber,
        beside author: Author
    ) {
        rows.answered[.init(conversation: conversation, after: sequence, author: author)] =
            isAnswered
    }

    /// The newest closing of a conversation, or that it never was closed.
    package mutating func found(closing: KnownClosing?, of conversation: ConversationID) {
        rows.closings.updateValue(closing, forKey: conversation)
    }

    /// A note, or that the conversation has none of the name.
    package mutating func found(
        _ note: KnownNote?, as id: NoteID, in conversation: ConversationID
    ) {
        rows.notes.updateValue(note, forKey: .init(id: id, conversation: conversation))
    }

    /// The work of a name, or that there is none.
    package mutating func found(_ work: DueWork?, as name: DueWork.Name) {
        rows.due.updateValue(work, forKey: name)
    }

    /// Whether an endpoint is there and enabled.
    package mutating func found(isEnabled: Bool, as id: WebhookID) { rows.webhooks[id] = isEnabled }

    /// What an idempotency key led to, or that it is new.
    package mutating func found(_ answer: RememberedAnswer?, as scope: String) {
        rows.answers.updateValue(answer, forKey: Array(scope.utf8))
    }

    /// Whether a token's session is there.
    package mutating func found(_ isThere: Bool, as token: Digest) {
        rows.sessions[token] = isThere
    }

    /// Whether a conversation holds a file.
    package mutating func found(_ isHeld: Bool, as id: AttachmentID) { rows.files[id] = isHeld }

    /// The newest version of a template; 0 before the first.
    package mutating func found(
        _ version: Int, as name: TemplateName, of business: BusinessID
    ) {
        rows.templates[.init(name: name, business: business)] = version
    }

    /// The newest version of a template, or that there is none.
    package mutating func found(
        newest template: Template?, as name: TemplateName, of business: BusinessID
    ) {
        rows.newestTemplates.updateValue(template, forKey: .init(name: name, business: business))
    }

    /// What is left of a join code, or that there is none.
    package mutating func found(_ code: KnownJoinCode?, as link: Digest) {
        rows.joinCodes.updateValue(code, forKey: link)
    }

    /// A person's part in a business.
    package mutating func found(
        _ member: KnownMember, as agent: AgentID, of business: BusinessID
    ) {
        rows.members[.init(agent: agent, business: business)] = member
    }

    /// The owners of a business who can sign in.
    package mutating func found(owners: [AgentID], of business: BusinessID) {
        rows.owners[business] = Set(owners)
    }

    /// The labels of a business.
    package mutating func found(labels: [Label], of business: BusinessID) {
        rows.labels[business] = labels
    }

    /// The teams of a business.
    package mutating func found(teams: [Team], of business: BusinessID) {
        rows.teams[business] = teams
    }

    /// Whether a business promises how soon it answers.
    package mutating func found(hasServiceLevels hasSome: Bool, of business: BusinessID) {
        rows.serviceLevels[business] = hasSome
    }

    /// When customers of a business are asked after a closing, or that they are not.
    package mutating func found(_ plan: SatisfactionPlan?, of business: BusinessID) {
        rows.satisfactionPlans.updateValue(plan, forKey: business)
    }

    /// A saved view, or that there is none.
    package mutating func found(_ view: SavedView?, as id: SavedViewID) {
        rows.savedViews.updateValue(view, forKey: id)
    }

    /// How many saved views lie on a scope.
    package mutating func found(viewCount count: Int, on scope: SavedView.Scope) {
        rows.viewCounts[scope] = count
    }

    /// The suggested answers of a conversation, the oldest first.
    package mutating func found(suggestions: [Suggestion], in conversation: ConversationID) {
        rows.suggestions[conversation] = suggestions
    }

    /// The bots of a business, in the order in which they were registered.
    package mutating func found(bots: [KnownBot], of business: BusinessID) {
        rows.bots[business] = bots
    }

    /// Who controls a conversation, or that no bot ever did.
    package mutating func found(_ control: Control?, of conversation: ConversationID) {
        rows.controls.updateValue(control, forKey: conversation)
    }

    /// The library of a business, the newest file first.
    package mutating func found(library: [LibraryFile], of business: BusinessID) {
        rows.libraries[business] = library
    }

    /// The definitions of a business's attributes.
    package mutating func found(
        attributes: [AttributeDefinition], of business: BusinessID
    ) {
        rows.attributes[business] = attributes
    }

    /// The links of a contact, those that were parted included.
    package mutating func found(links: [ContactLink], of contact: ContactID) {
        rows.contactLinks[contact] = links
    }

    /// The contacts that were merged into one, itself among them.
    package mutating func found(tree: [ContactID], of root: ContactID) {
        rows.contactTrees[root] = tree
    }

    /// A contact, or that there is none.
    package mutating func found(_ contact: Contact?, as id: ContactID) {
        rows.contacts.updateValue(contact, forKey: id)
    }

    /// The contact of a business that has an external id, or that none has.
    package mutating func found(
        _ contact: ContactID?, as externalID: [UInt8], of business: BusinessID
    ) {
        rows.externalIDs.updateValue(contact, forKey: .init(id: externalID, business: business))
    }

    /// Whether an agent's answer assigns a business's conversations that have no assignee.
    package mutating func found(assignsOnReply isWanted: Bool, of business: BusinessID) {
        rows.assigningOnReply[business] = isWanted
    }

    /// What the server answers by itself for a business.
    package mutating func found(
        automaticAnswers answers: AutomaticAnswers, of business: BusinessID
    ) {
        rows.automaticAnswers[business] = answers
    }

    /// The rules of a business.
    package mutating func found(rules: [TeamRule], of business: BusinessID) {
        self.rows.rules[business] = rules
    }

    /// Whether a rule has made something of an event.
    package mutating func found(_ isThere: Bool, as name: RuleAct.Name) {
        rows.ruleActs[name] = isThere
    }

    /// How a business and its teams assign by themselves.
    package mutating func found(
        assignment settings: AssignmentSettings, of business: BusinessID
    ) {
        rows.assignments[business] = settings
    }

    /// What the members of a business have to do.
    package mutating func found(workload: Workload, of business: BusinessID) {
        rows.workloads[business] = workload
    }

    /// Who looked after a conversation before.
    package mutating func found(earlierCare: EarlierCare, of conversation: ConversationID) {
        rows.earlierCare[conversation] = earlierCare
    }

    /// What a business chose of erasing by age, or that it keeps content for ever.
    package mutating func found(_ choice: Retention?, of business: BusinessID) {
        rows.retentions.updateValue(choice, forKey: business)
    }

    /// The keys that may act for a business because a person said so.
    package mutating func found(grants: [KeyID], by agent: AgentID, for business: BusinessID) {
        rows.grants[.init(agent: agent, business: business)] = grants
    }

    /// The readable conversations of a business that are assigned to a person.
    package mutating func found(
        assigned: [ConversationRow], to agent: AgentID, in business: BusinessID
    ) {
        for row in assigned { keep(row) }
        rows.assigned[.init(agent: agent, business: business)] = assigned.map(\.conversation.id)
    }

    /// Adds a row, unless the group has the conversation already: as it left it.
    private mutating func keep(_ row: consuming ConversationRow) {
        let id = row.conversation.id
        guard !conversations.contains(where: { $0.row.conversation.id == id }) else { return }
        conversations.append(DecidedConversation(row: consume row, change: .nothing))
    }

    /// The number that the store gave to the row of a conversation that the group opened.
    package mutating func found(number: Int64, at place: Int) {
        conversations[place].row.number = number
    }
}
