package import DeskModel

/// One row that a decided group writes; the rows of a group are written in order.
///
/// A conversation is named by its place in `GroupDecision.conversations`, for one that the group
/// opens has no number before its row is written.
package enum RowChange: Sendable {
    /// Adds a conversation's row and says its number to the decision.
    case openConversation(Int)
    /// Adds the message at a place of `GroupDecision.messages`, unless its id is known already.
    case message(Int)
    /// Adds the event at a place of `GroupDecision.events`.
    case event(Int, EventPlace)
    /// Adds a note; the event after it is about it.
    indirect case note(Note, conversation: Int)
    /// Overwrites a note's row.
    indirect case changedNote(Note, number: Int64, conversation: Int)
    /// Rewrites the names of the customer and the contact for the search by names.
    case customerName(conversation: Int)
    /// Notes the values of the conversation's attributes for the lists that are read by them.
    case attributeValues(conversation: Int)
    /// Keeps the conversation's metadata instead of that before.
    case conversationMetadata(conversation: Int)
    /// Lets a conversation or business hold a file; the last name given to it there counts.
    indirect case hold(AttachmentUse, by: AttachmentHolder, at: Timestamp)
    /// Notes which answer settled a request.
    indirect case settle(MessageID, conversation: Int, by: MessageID)
    /// Overwrites a message's row, and empties what was kept about it alone, and what is beside the
    /// conversation's messages and may repeat any of them: all of it, or what is older than a moment.
    indirect case tombstone(StoredMessage, conversation: Int, olderThan: Timestamp?)
    /// Empties the copies that show messages of a conversation which this group erases, and those that may repeat any
    /// of its messages: all of them, or those that are older than a moment.
    indirect case emptiedCopies(
        [StoredMessage], conversation: Int, olderThan: Timestamp?)
    /// Empties what endpoints of webhooks answered to the notes of a conversation that have no text any more.
    case emptiedNoteCopies(conversation: Int)
    /// Empties what endpoints of webhooks answered to the events of a conversation.
    case emptiedEndpointAnswers(conversation: Int)
    /// Empties what lies beside the messages and notes of a conversation, and what earlier events say of its attributes.
    indirect case emptiedConversation(Int)
    /// Empties what events of contacts say of a person, at these positions; others there stay as they are.
    indirect case emptiedContactEvents([Position], business: Int64)
    /// Lets a conversation go of a file that none of its messages names any more, and of what was uploaded to the
    /// gateway as it.
    indirect case release(
        AttachmentID, and: [String], of: ConversationID, business: BusinessID, at: Timestamp)
    /// Ends what the gateway keeps for a business under some names.
    indirect case endedObjects([String], of: BusinessID, at: Timestamp)
    /// Remembers the answer of an idempotency key, unless it has one.
    indirect case answer(RememberedAnswer)
    /// Adds a template's version.
    indirect case template(Template)
    /// Adds a label, or replaces what may change of it.
    indirect case label(Label)
    /// Adds a team, or replaces what may change of it.
    indirect case team(Team)
    /// Sets the hours of a business or a team instead of those before, or with nil removes them.
    indirect case hours([UInt8]?, of: BusinessID, for: TeamID?)
    /// Keeps what the server answers by itself for a business instead of what was chosen before.
    indirect case automaticAnswers(AutomaticAnswers, of: BusinessID)
    /// Adds a rule, or replaces what may change of it.
    indirect case rule(TeamRule)
    /// Removes a rule.
    indirect case removeRule(TeamRuleID)
    /// Ends deliveries to an endpoint.
    indirect case disabledWebhook(WebhookID, Webhook.Disabled)
    /// Notes what a rule made of an event.
    indirect case ruleAct(RuleAct)
    /// Keeps how a business or a team assigns by itself, or with nil forgets it.
    indirect case assignment(StoredAssignment?, of: BusinessID, for: TeamID?)
    /// Notes the position at which an agent was given a conversation by itself.
    indirect case assignmentTurn(AgentID, of: BusinessID, Int64)
    /// Sets the service levels of a business instead of those before, or with nil removes them.
    indirect case serviceLevels([UInt8]?, of: BusinessID)
    /// Keeps whether and how customers of a business are asked, instead of what was chosen before.
    indirect case satisfaction(StoredSatisfaction, of: BusinessID)
    /// Adds a saved view, or replaces what may change of it.
    indirect case savedView(SavedView)
    /// Removes a saved view.
    case removedView(SavedViewID)
    /// Keeps a legal hold instead of the one before on the same subject.
    indirect case legalHold(LegalHold)
    /// Removes a legal hold.
    case releasedLegalHold(LegalHold.Subject)
    /// Adds a file to a library.
    indirect case libraryFile(LibraryFile)
    /// Keeps the name of a file of a library.
    indirect case renamedLibraryFile(LibraryFile)
    /// Removes a file from a library, which holds its bytes until a moment yet.
    indirect case removedLibraryFile(LibraryFile, keptUntil: Timestamp)
    /// Adds the definition of an attribute, or replaces what may change of it.
    indirect case attribute(AttributeDefinition)
    /// Adds a contact, or replaces what may change of it.
    indirect case contact(Contact)
    /// Adds a link of two contacts, or replaces what is said of them.
    indirect case contactLink(ContactLink)
    /// Adds a session.
    indirect case session(Session)
    /// Uses a join code once.
    indirect case redeem(link: Digest, for: ConversationID)
    /// Notes the link of a conversation, and until when it is good, instead of those before.
    indirect case bind(ConversationID, to: GatewayLinkID, freeFormUntil: Timestamp?)
    /// Adds work that is due at a moment, or replaces that of its name.
    indirect case putDueWork(DueWork)
    /// Removes work, if there is any of its name.
    indirect case removeDueWork(DueWork.Name)
    /// Removes a draft, unless another version is stored.
    indirect case removeDraft(SentDraft)
    /// Adds a bot, or replaces what may change of it.
    indirect case bot(Bot)
    /// Keeps who controls a conversation instead of who did.
    indirect case control(Control)
    /// Adds a suggested answer.
    indirect case suggestion(Suggestion)
    /// Removes a suggested answer.
    case removedSuggestion(SuggestionID)
    /// Keeps objects of the gateway from now on.
    case keepObjects([String])
    /// Ends what keys may do for a business because a person said so.
    indirect case endGrants(by: AgentID, for: BusinessID)
    /// Withdraws a person's open invitations to a business.
    indirect case withdrawInvitations(by: AgentID, for: BusinessID)
    /// Gives a person a role in a business, or with nil ends the membership.
    indirect case role(Role?, of: AgentID, in: BusinessID)
    /// Records who changed what of the registries.
    indirect case registry(RegistryChange, author: Author)
}

/// Where an event belongs.
package struct EventPlace: Sendable {
    /// The number of the business's row.
    package let business: Int64
    /// The conversation's place in the decision.
    package let conversation: Int?
    /// The note that it is about; nil for other events.
    package let note: Note?

    /// A note's row.
    package enum Note: Sendable {
        /// The one that was added just before.
        case added
        /// The one of this number.
        case known(Int64)
    }
}

/// A message's row.
package struct MessageRow: Sendable {
    /// The message, with all its bytes.
    package let message: StoredMessage
    /// SHA-256 of the bytes as posted; nil where they are the payload itself.
    package let posted: Digest?
    /// The position of the conversation's message before it; 0 before the first.
    package let previous: Int64
    /// The conversation's place in the decision.
    package let conversation: Int
}
