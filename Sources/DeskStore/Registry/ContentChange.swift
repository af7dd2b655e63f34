public import DeskModel

/// A change of templates, files, remembered answers and settings.
public enum ContentChange: Hashable, Sendable {
    /// A template's next version was published.
    case publishTemplate(TemplateName, of: BusinessID)
    /// A template was removed.
    case removeTemplate(TemplateName, of: BusinessID)
    /// A label was made or changed.
    case saveLabel(LabelID, of: BusinessID)
    /// A team was made or changed.
    case saveTeam(TeamID, of: BusinessID)
    /// A bot was registered or changed.
    case saveBot(BotID, of: BusinessID)
    /// The hours of a business or of one of its teams were set or removed.
    case saveHours(of: BusinessID, for: TeamID?)
    /// What the server answers by itself for a business was chosen.
    case saveAutomaticAnswers(of: BusinessID)
    /// How a business or one of its teams assigns by itself was chosen.
    case saveAssignment(of: BusinessID, for: TeamID?)
    /// An attribute was defined, or its definition changed.
    case saveAttribute(AttributeID, of: BusinessID)
    /// A contact was merged into another.
    case mergeContact(ContactID, of: BusinessID)
    /// The merge of a contact was undone.
    case unmergeContact(ContactID, of: BusinessID)
    /// The customers of a contact were blocked, or are no longer.
    case blockContact(ContactID, of: BusinessID, Bool)
    /// A contact was linked with one of another business, or parted from it.
    case linkContact(ContactID, of: BusinessID, Bool)
    /// What is known of a contact was changed.
    case saveContact(ContactID, of: BusinessID)
    /// What was known of a contact was erased.
    case eraseContact(ContactID, of: BusinessID)
    /// The content of a conversation is erased: that it begins, and that it is complete.
    case eraseConversation(ConversationID, of: BusinessID, isComplete: Bool)
    /// A rule was made or changed.
    case saveRule(TeamRuleID, of: BusinessID)
    /// A rule was removed.
    case removeRule(TeamRuleID, of: BusinessID)
    /// A macro was made or changed.
    case saveMacro(MacroID, of: BusinessID)
    /// How soon a business wants to answer was set or removed.
    case saveServiceLevels(of: BusinessID)
    /// Whether and how customers of a business are asked was chosen.
    case saveSatisfaction(of: BusinessID)
    /// How the widget of a business looks and where it may be was chosen.
    case saveWidget(of: BusinessID)
    /// A secret of a widget was made.
    case makeWidgetSecret(UniqueID, of: BusinessID)
    /// A secret of a widget was ended.
    case removeWidgetSecret(UniqueID, of: BusinessID)
    /// After how many days content is erased was chosen.
    case setRetention(of: BusinessID)
    /// Content is kept for ever again.
    case removeRetention(of: BusinessID)
    /// The content of a conversation, or of the whole business, is kept from being erased.
    case placeLegalHold(UniqueID, of: BusinessID)
    /// It is kept no longer.
    case releaseLegalHold(UniqueID, of: BusinessID)
    /// Erasing by age has come further.
    case advanceRetention(of: BusinessID)
    /// A customer's browser is notified of answers from then on.
    case savePush(in: ConversationID)
    /// Browsers of a conversation's customer are no longer notified.
    case removePush(in: ConversationID)
    /// Subscriptions whose conversation has no session were deleted.
    case prunePush
    /// An agent's browser is notified from then on.
    case saveAgentPush(of: AgentID)
    /// An agent's browser is no longer notified.
    case removeAgentPush(of: AgentID)
    /// A view was saved.
    case saveView(SavedViewID, of: BusinessID?)
    /// A saved view was removed.
    case removeView(SavedViewID, of: BusinessID?)
    /// A file was added to a library, or renamed.
    case saveLibraryFile(LibraryFileID, of: BusinessID)
    /// A file was removed from a library.
    case removeLibraryFile(LibraryFileID, of: BusinessID)
    /// A holder was given an attachment.
    case holdAttachment(AttachmentID, by: AttachmentHolder)
    /// Uploads whose end was before a moment were given up.
    case expireUploads(before: Timestamp)
    /// Uploads that were given up were deleted.
    case forgetUploads
    /// The answer to an idempotency key was begun.
    case beginAnswer
    /// An answer that was begun was given up.
    case giveUpAnswer
    /// The answer to an idempotency key was remembered.
    case rememberAnswer
    /// Answers given before a moment were deleted.
    case pruneAnswers(before: Timestamp)
    /// An agent saved what was begun in a conversation.
    case saveDraft(of: AgentID, in: ConversationID)
    /// What an agent had begun in a conversation was removed, or sent.
    case removeDraft(of: AgentID, in: ConversationID)
    /// Drafts that were saved last before a moment were deleted.
    case pruneDrafts(before: Timestamp)
    /// An answer was suggested.
    case addSuggestion(SuggestionID, of: BusinessID)
    /// An agent decided on a suggested answer.
    case settleSuggestion(SuggestionID, of: BusinessID)
    /// Suggested answers from before a moment were deleted.
    case pruneSuggestions(before: Timestamp)
    /// An agent saw who mentioned the agent in a conversation.
    case seeMentions(in: ConversationID)
    /// Refused work that was due before a moment was deleted.
    case pruneDueWork(before: Timestamp)
    /// A reader of the log moved its cursor, with what it stored of what it read.
    case advanceReader(ReaderName)
    /// A reader of the log begins with the oldest event again.
    case replayReader(ReaderName)
    /// A run of a script began, progressed or ended, or was asked for something.
    case changeScriptRun(ScriptRunID)
    /// A setting was set or removed.
    case setSetting(String)
    /// A table of a business was exported.
    case exportTable(String, of: BusinessID)
    /// Records of the audit from before a moment were deleted.
    case pruneAudit(before: Timestamp)

    /// A secret of the server's own was made.
    case makeSecret(SecretName)
    /// The secrets were encrypted with another key.
    case encryptSecrets(EncryptionKeyID)
    /// A signed code was used.
    case useCode
    /// Used codes that expired before a moment were deleted.
    case pruneUsedCodes(before: Timestamp)

    /// What is written down of it.
    var facts: ChangeFacts {
        switch self {
        case .publishTemplate(let name, let business):
            .kept("template_published", name.text, of: business)
        case .removeTemplate(let name, let business):
            .kept("template_removed", name.text, of: business)
        case .saveLabel(let id, let business): .kept("label_saved", id.text, of: business)
        case .saveTeam(let id, let business): .kept("team_saved", id.text, of: business)
        case .saveBot(let id, let business): .kept("bot_saved", id.text, of: business)
        case .saveHours(let business, let team):
            .kept("hours_saved", team?.text ?? "", of: business)
        case .saveAutomaticAnswers(let business):
            .kept("automatic_answers_saved", "", of: business)
        case .saveAssignment(let business, let team):
            .kept("assignment_saved", team?.text ?? "", of: business)
        case .saveAttribute(let id, let business):
            .kept("attribute_saved", id.text, of: business)
        case .mergeContact(let id, let business): .kept("contact_merged", id.text, of: business)
        case .unmergeContact(let id, let business):
            .kept("contact_unmerged", id.text, of: business)
        case .blockContact(let id, let business, let isBlocked):
            .kept(isBlocked ? "contact_blocked" : "contact_unblocked", id.text, of: business)
        case .linkContact(let id, let business, let isLinked):
            .kept(isLinked ? "contact_linked" : "contact_parted", id.text, of: business)
        case .saveContact(let id, let business): .kept("contact_saved", id.text, of: business)
        case .eraseContact(let id, let business): .kept("contact_erased", id.text, of: business)
        case .eraseConversation(let id, let business, let isComplete):
            .kept(
                "conversation_erased", id.text, of: business,
                detail: isComplete ? "complete" : "begun")
        case .saveRule(let id, let business): .kept("rule_saved", id.text, of: business)
        case .removeRule(let id, let business): .kept("rule_removed", id.text, of: business)
        case .saveMacro(let id, let business): .kept("macro_saved", id.text, of: business)
        case .saveServiceLevels(let business):
            .kept("service_levels_saved", "", of: business)
        case .saveSatisfaction(let business):
            .kept("satisfaction_saved", "", of: business)
        case .saveWidget(let business): .kept("widget_saved", "", of: business)
        case .makeWidgetSecret(let id, let business):
            .kept("widget_secret_made", id.text, of: business)
        case .removeWidgetSecret(let id, let business):
            .kept("widget_secret_removed", id.text, of: business)
        case .setRetention(let business): .kept("retention_set", "", of: business)
        case .removeRetention(let business): .kept("retention_removed", "", of: business)
        case .placeLegalHold(let id, let business):
            .kept("legal_hold_placed", id.text, of: business)
        case .releaseLegalHold(let id, let business):
            .kept("legal_hold_released", id.text, of: business)
        case .advanceRetention(let business):
            .bookkeeping("retention_advanced", "", of: business)
        case .savePush(let conversation): .bookkeeping("push_saved", conversation.text)
        case .removePush(let conversation): .bookkeeping("push_removed", conversation.text)
        case .prunePush: .bookkeeping("push_pruned")
        case .saveAgentPush(let agent): .bookkeeping("agent_push_saved", agent.text)
        case .removeAgentPush(let agent): .bookkeeping("agent_push_removed", agent.text)
        case .saveView(let id, let business): .kept("view_saved", id.text, of: business)
        case .removeView(let id, let business): .kept("view_removed", id.text, of: business)
        case .saveLibraryFile(let id, let business):
            .kept("library_file_saved", id.text, of: business)
        case .removeLibraryFile(let id, let business):
            .kept("library_file_removed", id.text, of: business)
        case .holdAttachment(let id, .business(let business)),
            .holdAttachment(let id, .library(let business)):
            .bookkeeping("attachment_held", id.text, of: business)
        case .holdAttachment(let id, .conversation): .bookkeeping("attachment_held", id.text)
        case .expireUploads: .bookkeeping("uploads_expired")
        case .forgetUploads: .bookkeeping("uploads_forgotten")
        case .beginAnswer: .bookkeeping("answer_begun")
        case .giveUpAnswer: .bookkeeping("answer_given_up")
        case .rememberAnswer: .bookkeeping("answer_remembered")
        case .pruneAnswers: .bookkeeping("answers_pruned")
        case .saveDraft(_, let conversation): .bookkeeping("draft_saved", conversation.text)
        case .removeDraft(_, let conversation): .bookkeeping("draft_removed", conversation.text)
        case .pruneDrafts: .bookkeeping("drafts_pruned")
        case .addSuggestion(let id, let business):
            .bookkeeping("suggestion_added", id.text, of: business)
        case .settleSuggestion(let id, let business):
            .bookkeeping("suggestion_settled", id.text, of: business)
        case .pruneSuggestions: .bookkeeping("suggestions_pruned")
        case .seeMentions(let conversation): .bookkeeping("mentions_seen", conversation.text)
        case .pruneDueWork: .bookkeeping("due_work_pruned")
        case .advanceReader(let name): .bookkeeping("reader_advanced", name.text)
        case .replayReader(let name): .kept("reader_replayed", name.text)
        case .changeScriptRun(let id): .bookkeeping("script_run_changed", id.text)
        case .exportTable(let table, let business):
            .kept("history_exported", table, of: business)
        case .setSetting(let name): .kept("setting_set", name)
        case .pruneAudit: .bookkeeping("audit_pruned")
        case .makeSecret(let name): .bookkeeping("secret_made", name.rawValue)
        case .encryptSecrets(let key): .kept("secrets_encrypted", key.text)
        case .useCode: .bookkeeping("code_used")
        case .pruneUsedCodes: .bookkeeping("used_codes_pruned")
        }
    }
}
