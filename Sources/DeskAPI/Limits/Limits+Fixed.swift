import DeskBroker
import DeskCalendar
import DeskCrypto
import DeskDelivery
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
public import DeskModel
import DeskSAML
import DeskStore
import DeskTeam
import DeskWeb

extension Limits {
    /// What belongs to the protocol, the storage format or the server, and has no flag.
    public static let fixed: [LimitRow] =
        protocolAndStorage + teamwork + pushes + mails + passkeys + provisioning + approvals
        + retention + assistants + scripts
        + lists

    private static let protocolAndStorage: [LimitRow] = [
        LimitRow(
            "JSONLimits.depth", "\(JSONLimits.standard.depth)",
            bounds: "Nesting of arrays and objects",
            beyond: "400 `malformed_json`"),
        LimitRow(
            "JSONLimits.nodes", "\(JSONLimits.standard.nodes)",
            bounds: "Values in one text, keys not counted",
            beyond: "400 `malformed_json`"),
        LimitRow(
            "JSONLimits.keysPerObject", "\(JSONLimits.standard.keysPerObject)",
            bounds: "Keys in one object",
            beyond: "400 `malformed_json`"),
        LimitRow(
            "JSONLimits.keyBytes", "\(JSONLimits.standard.keyBytes)",
            bounds: "One key as written between its quotes",
            beyond: "400 `malformed_json`"),
        LimitRow(
            "JSONLimits.numberBytes", "\(JSONLimits.standard.numberBytes)",
            bounds: "The text of one number",
            beyond: "400 `malformed_json`"),
        LimitRow(
            "JSONLimits.allowsDuplicateKeys", "\(JSONLimits.standard.allowsDuplicateKeys)",
            bounds: "Whether a key may occur twice in one object",
            beyond: "400 `malformed_json`"),
        LimitRow(
            "Judging.maximumAppURLBytes", "\(MessageLimits.appURLBytes)",
            bounds: "URL of an app message",
            beyond: "422, rule [app-url-too-long](rules/app-url-too-long.md)"),
        LimitRow(
            "Judging.maximumAttachmentBytes", "\(MessageLimits.attachmentBytes)",
            bounds: "Size that a payload states for an attachment",
            beyond: "422, rule [attachment-too-large](rules/attachment-too-large.md)"),
        LimitRow(
            "Judging.maximumLinkPictureBytes", "\(MessageLimits.linkPictureBytes)",
            bounds: "Picture of a rich link, decoded",
            beyond: "422, rule [picture-too-large](rules/picture-too-large.md)"),
        LimitRow(
            "Judging.maximumFindings", "\(MessageLimits.findings)",
            bounds: "Errors, and separately warnings, of one validation",
            beyond: "further ones are not reported"),
        LimitRow(
            "Fields.maximumFindings", "\(Fields.maximumFindings)",
            bounds: "Findings about one request's own JSON",
            beyond: "further ones are not reported"),
        LimitRow(
            "Template.maximumTitleCharacters", "\(Template.maximumTitleCharacters)",
            bounds: "A template's title, in characters (code points of Unicode), as in its schema",
            beyond: "422; the lint reports it"),
        LimitRow(
            "Template.maximumDescriptionCharacters", "\(Template.maximumDescriptionCharacters)",
            bounds: "A template's description, in characters as well",
            beyond: "422; the lint reports it"),
        LimitRow(
            "TemplateForm.maximumGaps", "\(TemplateForm.maximumGaps)",
            bounds:
                "Placeholders of a template, and with repeated elements what is written for each item; filled, it has at most `payload-bytes`",
            beyond:
                "422 when it is published or, with more items, sent; 413 for values that make it larger"
        ),
        LimitRow(
            "TemplateParameter.maximumItems", "\(TemplateParameter.maximumItems)",
            bounds: "Items of a list that a template is filled with", beyond: "422"),
        LimitRow(
            "TemplateParameter.maximumMembers", "\(TemplateParameter.maximumMembers)",
            bounds: "Values that each item of such a list has", beyond: "422"),
        LimitRow(
            "WhatsAppSecrets.maximumBytes", "\(WhatsAppSecrets.maximumBytes)",
            bounds: "A secret of a number at WhatsApp", beyond: "422"),
        LimitRow(
            "Reply.maximumBytes", "\(Reply.maximumBytes)",
            bounds:
                "The pages of a form that an answer copies from, a page once for each time it is answered",
            beyond: "422"),
        LimitRow(
            "JSONSchema.mostFindings", "\(JSONSchema.mostFindings)",
            bounds: "Violations of a schema that one validation looks at",
            beyond: "422, rule [schema-mismatch](rules/schema-mismatch.md)"),
        LimitRow(
            "JSONSchema.mostFindingsOfAKind", "\(JSONSchema.mostFindingsOfAKind)",
            bounds: "Of these, violations of one keyword, place and name",
            beyond: "further ones are ignored"),
        LimitRow(
            "UploadedFile.maximumBytes", "\(UploadedFile.maximumBytes)",
            bounds: "One uploaded file; it is streamed to disk",
            beyond: "413"),
        LimitRow(
            "AttachmentRoutes.dailyBytes", "\(AttachmentRoutes.dailyBytes)",
            bounds: "Uploads of one customer's conversation in 24 hours",
            beyond: "429"),
        LimitRow(
            "UploadBudgets.leastBytes", "\(UploadBudgets.leastBytes)",
            bounds: "Bytes that an upload counts at least in the budgets of an hour",
            beyond: "none counts less"),
        LimitRow(
            "AttachmentRoutes.pictureBytes", "\(AttachmentRoutes.pictureBytes)",
            bounds: "A business's picture",
            beyond: "413"),
        LimitRow(
            "Customer.maximumLocaleBytes", "\(Customer.maximumLocaleBytes)",
            bounds: "Locale that a customer's page or an upstream gateway states",
            beyond: "422; of a gateway's message it is not the customer's"),
        LimitRow(
            "Customer.maximumWordBytes", "\(Customer.maximumWordBytes)",
            bounds: "Intent and group that a customer comes with, UTF-8, each",
            beyond: "not the customer's"),
        LimitRow(
            "PostedText.maximumAttachments", "\(PostedText.maximumAttachments)",
            bounds: "Attachments of a customer's message",
            beyond: "422"),
        LimitRow(
            "PictureSize.maximumPixels", "\(PictureSize.maximumPixels)",
            bounds:
                "Pixels that a picture's header states, in a file, a business's picture or a payload",
            beyond:
                "422 `picture_too_large`; in a payload rule [picture-too-large](rules/picture-too-large.md)"
        ),
        LimitRow(
            "FileName.maximumBytes", "\(FileName.maximumBytes)",
            bounds: "A file's name, UTF-8",
            beyond: "shortened, its ending kept"),
        LimitRow(
            "APIKey.most", "\(APIKey.most)",
            bounds:
                "Keys of one business that are in force, one that is replaced until it ends; a key's first successor needs no room",
            beyond: "422"),
        LimitRow(
            "APIKey.mostPredecessors", "\(APIKey.mostPredecessors)",
            bounds:
                "Keys in force that a successor without such room may come after, one after the other",
            beyond: "422"),
        LimitRow(
            "APIKey.revokedDays", "\(APIKey.revokedDays)",
            bounds: "Days for which lists of keys have one that was revoked",
            beyond: "listed with `filter[revoked]=include`"),
        LimitRow(
            "SAMLProvider.formBytes", "\(SAMLProvider.formBytes)",
            bounds: "A form with a response of an identity provider",
            beyond: "413"),
        LimitRow(
            "SAMLResponse.maximumBytes", "\(SAMLResponse.maximumBytes)",
            bounds:
                "Such a response, and each of the forms over which it is signed",
            beyond: "refused, `too_long` or `too_complex` in the log"),
        LimitRow(
            "SAMLResponse.maximumNodes", "\(SAMLResponse.maximumNodes)",
            bounds: "Elements, attributes and namespaces of a response, together",
            beyond: "refused, `too_complex` in the log"),
        LimitRow(
            "WebhookPoster.trialsOfBusiness", "\(WebhookPoster.trialsOfBusiness)",
            bounds: "Requests of a business that wait for test events at once, on a node",
            beyond: "429; a change of an endpoint goes on without a handshake"),
        LimitRow(
            "WebhookPoster.trialsAtOnce", "\(WebhookPoster.trialsAtOnce)",
            bounds: "The same of all businesses",
            beyond: "429; a change of an endpoint goes on without a handshake"),
        LimitRow(
            "EntryRoutes.maximumLinks", "\(EntryRoutes.maximumLinks)",
            bounds: "Entry links of a business beside the permanent one",
            beyond: "422"),
        LimitRow(
            "EntryRoutes.wordBytes", "\(EntryRoutes.wordBytes)",
            bounds: "Intent and group of an entry link, UTF-8",
            beyond: "422"),
        LimitRow(
            "EntryRoutes.bodyBytes", "\(EntryRoutes.bodyBytes)",
            bounds: "Prefilled text of an entry link, UTF-8",
            beyond: "422"),
        LimitRow(
            "JoinCodeText.lifeSeconds", "\(JoinCodeText.lifeSeconds)",
            bounds: "Life of a join code",
            beyond: "404"),
        LimitRow(
            "JoinCodeText.uses", "\(JoinCodeText.uses)",
            bounds: "Conversations that one join code may begin",
            beyond: "404"),
        LimitRow(
            "JoinCode.maximumTries", "\(JoinCode.maximumTries)",
            bounds: "Wrong attempts to type a join code",
            beyond: "404; the typed form expires"),
        LimitRow(
            "Housekeeping.auditDays", "\(Housekeeping.auditDays)",
            bounds: "Days for which the audit keeps who changed what",
            beyond: "the record is deleted"),
        LimitRow(
            "AgentPreferences.longestSendDelay", "\(AgentPreferences.longestSendDelay)",
            bounds: "Seconds for which a sent message may be withdrawn",
            beyond: "422"),
        LimitRow(
            "Scheduler.latest", "\(Scheduler.latest.components.seconds)",
            bounds: "Seconds after which a delayed message is not sent by itself any more",
            beyond: "it is left to its author"),
        LimitRow(
            "Housekeeping.unsentDays", "\(Housekeeping.unsentDays)",
            bounds: "Days that a message refused when it was due waits for its author",
            beyond: "the message is deleted"),
        LimitRow(
            "MentionBounds.perNote", "\(MentionBounds.perNote)",
            bounds: "Members whom one note mentions",
            beyond: "422"),
        LimitRow(
            "MentionBounds.teamsPerNote", "\(MentionBounds.teamsPerNote)",
            bounds: "Teams that one note mentions",
            beyond: "422"),
        LimitRow(
            "MentionBounds.withTeams", "\(MentionBounds.withTeams)",
            bounds: "Members whom one note mentions, those of its teams included",
            beyond: "422"),
        LimitRow(
            "MentionBounds.maximumUnseen", "\(MentionBounds.maximumUnseen)",
            bounds: "Conversations with mentions that an agent has not seen",
            beyond: "further ones are not counted"),
        LimitRow(
            "IdempotencyClaim.maximumKeyBytes", "\(IdempotencyClaim.maximumKeyBytes)",
            bounds: "An `Idempotency-Key`",
            beyond: "400"),
        LimitRow(
            "StreamLimits.queuedItems", "\(StreamLimits().queuedItems)",
            bounds: "Events that wait for one slow reader",
            beyond: "its stream is closed; it resumes"),
        LimitRow(
            "StreamLimits.queuedBytes", "\(StreamLimits().queuedBytes)",
            bounds: "Bytes that wait for one slow reader",
            beyond: "its stream is closed; it resumes"),
        LimitRow(
            "StreamLimits.queuedSignals", "\(StreamLimits().queuedSignals)",
            bounds: "Typing and presence among them",
            beyond: "the oldest typing signal is dropped; all of presence is sent again"),
        LimitRow(
            "StreamLimits.presenceEntries", "\(StreamLimits().presenceEntries)",
            bounds: "Entries of presence that a reader gets when it begins",
            beyond: "some are left out"),
        LimitRow(
            "StreamLimits.recentEvents", "\(StreamLimits().recentEvents)",
            bounds: "Events kept in memory for readers that resume",
            beyond: "read from the log"),
        LimitRow(
            "StreamLimits.recentBytes", "\(StreamLimits().recentBytes)",
            bounds: "Their bytes",
            beyond: "read from the log"),
        LimitRow(
            "StreamLimits.replayPage", "\(StreamLimits().replayPage)",
            bounds: "Events read from the log at a time",
            beyond: "the next page follows"),
        LimitRow(
            "StreamLimits.catchUpSeconds", "\(StreamLimits().catchUpSeconds)",
            bounds: "Wait of a reader whose cursor is ahead of this process, in seconds",
            beyond: "`reset`, where the event does not exist"),
        LimitRow(
            "EventStream.retry",
            "\(EventStream.retry.lowerBound)–\(EventStream.retry.upperBound)",
            bounds: "Milliseconds after which an event stream's reader is asked to reconnect",
            beyond: "drawn at random for each stream"),
        LimitRow(
            "Event.maximumPayloadBytes", "\(Event.maximumPayloadBytes)",
            bounds: "A payload inside an event",
            beyond: "the event carries size, sum and address"),
        LimitRow(
            "BodyDecoder.maximumSizeDigits", "\(BodyDecoder.maximumSizeDigits)",
            bounds: "Hexadecimal digits of a chunk's size",
            beyond: "400"),
        LimitRow(
            "Scrypt.password.cost", "\(Scrypt.password.cost)",
            bounds: "N of scrypt for passwords, with r = 8 and p = 3: 32 MiB for each",
            beyond: "none uses less"),
        LimitRow(
            "BatchAdmission.maximumBytes", "\(BatchAdmission.maximumBytes)",
            bounds: "Bodies of batches that are validated and written at a time",
            beyond: "the next batch waits"),
        LimitRow(
            "SearchQuery.maximumBytes", "\(SearchQuery.maximumBytes)",
            bounds: "The text of a search, UTF-8",
            beyond: "422"),
        LimitRow(
            "SearchQuery.maximumTerms", "\(SearchQuery.maximumTerms)",
            bounds: "Words and phrases of a search",
            beyond: "422"),
        LimitRow(
            "BulkRoute.most", "\(BulkRoute.most)",
            bounds: "Conversations that one request changes",
            beyond: "422"),
        LimitRow(
            "BulkChange.mostMetadata", "\(BulkChange.mostMetadata)",
            bounds: "Names of metadata that a change of many conversations changes",
            beyond: "422"),
        LimitRow(
            "BulkRoute.mostOfAgents", "\(BulkRoute.mostOfAgents)",
            bounds: "Those that an agent who is no owner changes in one request",
            beyond: "403"),
    ]

    private static let lists: [LimitRow] = [
        LimitRow(
            "NameSearch.maximumNames", "\(NameSearch.maximumNames)",
            bounds: "Customers' names with the longest word of a search that are looked at",
            beyond: "those beyond are not found"),
        LimitRow(
            "NameSearch.maximumFound", "\(NameSearch.maximumFound)",
            bounds: "Customers found by name before they are sorted",
            beyond: "some are left out"),
        LimitRow(
            "SearchPage.lookMilliseconds", "\(SearchPage.lookMilliseconds)",
            bounds: "Milliseconds after which a search ends its page",
            beyond: "a short page; `next` leads on"),
        LimitRow(
            "IndexSchedule.maximumBehind", "\(IndexSchedule.maximumBehind)",
            bounds: "Events that search may lag behind the log while messages arrive fast",
            beyond: "search reads at ordinary priority, and accepting becomes slower"),
        LimitRow(
            "SearchWords.maximumScalars", "\(SearchWords.maximumScalars)",
            bounds: "Unicode scalars of one message that can be found",
            beyond: "the rest of it is not found"),
        LimitRow(
            "ReadableText.maximumBytes", "\(ReadableText.maximumBytes)",
            bounds: "Texts of one message's payload that can be found",
            beyond: "the rest of them is not found"),
        LimitRow(
            "FileSet.maximumBytes", "\(FileSet.maximumBytes)",
            bounds: "One file of `web`, `Schemas` or `docs`",
            beyond: "the server does not start"),
        LimitRow(
            "FileSet.maximumFiles", "\(FileSet.maximumFiles)",
            bounds: "Files in one of these folders",
            beyond: "the server does not start"),
        LimitRow(
            "DoctorQueue.maximumTexts", "\(DoctorQueue.maximumTexts)",
            bounds: "Texts that the doctor examines or that wait for it, of those over 16 KiB",
            beyond: "503"),
    ]
}
