public import DeskModel

/// A change of templates, files, remembered answers and settings.
public enum ContentChange: Hashable, Sendable {
    /// A template's next version was published.
    case publishTemplate(TemplateName, of: BusinessID)
    /// A label was made or changed.
    case saveLabel(LabelID, of: BusinessID)
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
    /// A setting was set or removed.
    case setSetting(String)
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
        case .saveLabel(let id, let business): .kept("label_saved", id.text, of: business)
        case .holdAttachment(let id, .business(let business)):
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
        case .setSetting(let name): .kept("setting_set", name)
        case .pruneAudit: .bookkeeping("audit_pruned")
        case .makeSecret(let name): .bookkeeping("secret_made", name.rawValue)
        case .encryptSecrets(let key): .kept("secrets_encrypted", key.text)
        case .useCode: .bookkeeping("code_used")
        case .pruneUsedCodes: .bookkeeping("used_codes_pruned")
        }
    }
}
