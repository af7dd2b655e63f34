import DeskBroker
import DeskCalendar
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb

extension Limits {
    /// What bounds the work of a team: labels, teams, hours, contacts, reports, macros, rules.
    static let teamwork: [LimitRow] = [
        LimitRow(
            "Label.most", "\(Label.most)",
            bounds: "Labels of one business, retired ones included",
            beyond: "422"),
        LimitRow(
            "Label.mostOfConversation", "\(Label.mostOfConversation)",
            bounds: "Labels on one conversation",
            beyond: "422"),
        LimitRow(
            "Label.maximumNameBytes", "\(Label.maximumNameBytes)",
            bounds: "A label's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "Team.most", "\(Team.most)",
            bounds: "Teams of one business, retired ones included",
            beyond: "422"),
        LimitRow(
            "Team.mostMembers", "\(Team.mostMembers)",
            bounds: "Members of one team",
            beyond: "422"),
        LimitRow(
            "Team.maximumNameBytes", "\(Team.maximumNameBytes)",
            bounds: "A team's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "BusinessHours.mostIntervals", "\(BusinessHours.mostIntervals)",
            bounds: "Open intervals of one day",
            beyond: "422"),
        LimitRow(
            "BusinessHours.mostHolidays", "\(BusinessHours.mostHolidays)",
            bounds: "Holidays of a business or a team",
            beyond: "422"),
        LimitRow(
            "BusinessHours.maximumHolidayBytes", "\(BusinessHours.maximumHolidayBytes)",
            bounds: "A holiday's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "TimeZones.maximumNameBytes", "\(TimeZones.maximumNameBytes)",
            bounds: "A time zone's name",
            beyond: "422"),
        LimitRow(
            "OpeningTimes.daysAhead", "\(OpeningTimes.daysAhead)",
            bounds: "Days that are looked through for the next opening or closing",
            beyond: "none is said"),
        LimitRow(
            "OpeningTimes.daysCounted", "\(OpeningTimes.daysCounted)",
            bounds: "Days in which minutes within hours are counted",
            beyond: "nothing is due"),
        LimitRow(
            "AutomaticAnswers.longestWait", "\(AutomaticAnswers.longestWait)",
            bounds: "Minutes without an agent's answer, within hours, that can be chosen",
            beyond: "422"),
        LimitRow(
            "Conversation.mostParticipants", "\(Conversation.mostParticipants)",
            bounds: "Participants of one conversation, and those who follow it",
            beyond: "422; who answers or is mentioned is no participant then"),
        LimitRow(
            "AssignmentRule.highestCapacity", "\(AssignmentRule.highestCapacity)",
            bounds: "Open conversations of an agent, with which nothing more is assigned by itself",
            beyond: "422"),
        LimitRow(
            "AssignmentRule.longestGiveBack", "\(AssignmentRule.longestGiveBack)",
            bounds: "Minutes within hours after which an unanswered conversation goes back",
            beyond: "422"),
        LimitRow(
            "Contact.maximumNameBytes", "\(Contact.maximumNameBytes)",
            bounds: "A contact's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "Contact.maximumExternalIDBytes", "\(Contact.maximumExternalIDBytes)",
            bounds: "A contact's external id, UTF-8",
            beyond: "422"),
        LimitRow(
            "Contact.maximumNotesBytes", "\(Contact.maximumNotesBytes)",
            bounds: "The notes of a contact, UTF-8",
            beyond: "422"),
        LimitRow(
            "Contact.mostFound", "\(Contact.mostFound)",
            bounds: "Contacts that a search of names answers",
            beyond: "those whose activity is older are left out"),
        LimitRow(
            "Contact.mostMerged", "\(Contact.mostMerged)",
            bounds: "Contacts that are merged into one, itself included",
            beyond: "422"),
        LimitRow(
            "ContactLink.most", "\(ContactLink.most)",
            bounds: "Links of one contact with those of other businesses, parted ones included",
            beyond: "422"),
        LimitRow(
            "AttributeDefinition.most", "\(AttributeDefinition.most)",
            bounds:
                "Attributes that a business defines for conversations, and as many for contacts, retired ones included",
            beyond: "422"),
        LimitRow(
            "AttributeDefinition.mostChoices", "\(AttributeDefinition.mostChoices)",
            bounds: "Choices of one attribute",
            beyond: "422"),
        LimitRow(
            "AttributeDefinition.maximumNameBytes", "\(AttributeDefinition.maximumNameBytes)",
            bounds: "An attribute's name, and each of its choices, UTF-8",
            beyond: "422"),
        LimitRow(
            "AttributeDefinition.maximumKeyBytes", "\(AttributeDefinition.maximumKeyBytes)",
            bounds: "An attribute's key",
            beyond: "422"),
        LimitRow(
            "AttributeValue.maximumBytes", "\(AttributeValue.maximumBytes)",
            bounds: "A text, choice or link as the value of an attribute, UTF-8",
            beyond: "422"),
        LimitRow(
            "Metadata.most", "\(Metadata.most)",
            bounds: "Names in the metadata of a conversation, a contact or a message", beyond: "422"
        ),
        LimitRow(
            "Metadata.maximumNameBytes", "\(Metadata.maximumNameBytes)",
            bounds: "A name in metadata, UTF-8", beyond: "422"),
        LimitRow(
            "Metadata.maximumValueBytes", "\(Metadata.maximumValueBytes)",
            bounds: "A value in metadata, UTF-8", beyond: "422"),
        LimitRow(
            "LibraryFile.most", "\(LibraryFile.most)",
            bounds: "Files in the library of one business",
            beyond: "422"),
        LimitRow(
            "LibraryFile.mostBytes", "\(LibraryFile.mostBytes)",
            bounds: "Bytes of the files in the library of one business together",
            beyond: "422"),
        LimitRow(
            "LibraryFile.maximumNameBytes", "\(LibraryFile.maximumNameBytes)",
            bounds: "The name of a file in a library, UTF-8",
            beyond: "422"),
        LimitRow(
            "LibraryFile.hoursAfterRemoval", "\(LibraryFile.hoursAfterRemoval)",
            bounds: "Hours for which a file removed from a library can be sent yet",
            beyond: "422 for a message that names it"),
        LimitRow(
            "TranscriptRoutes.mostConversations", "\(TranscriptRoutes.mostConversations)",
            bounds: "Conversations of one transcript",
            beyond: "422"),
        LimitRow(
            "ImportRoutes.mostBytes", "\(ImportRoutes.mostBytes)",
            bounds: "Body of one request that imports lines",
            beyond: "413"),
        LimitRow(
            "ImportRoutes.mostLines", "\(ImportRoutes.mostLines)",
            bounds: "Lines that one request imports",
            beyond: "422"),
        LimitRow(
            "ImportReport.mostFindings", "\(ImportReport.mostFindings)",
            bounds: "Findings of one import that are named",
            beyond: "the others are counted"),
        LimitRow(
            "ImportNames.maximumBytes", "\(ImportNames.maximumBytes)",
            bounds: "The name that a customer or note has in another system, UTF-8",
            beyond: "422"),
        LimitRow(
            "ReportQuery.mostDays", "\(ReportQuery.mostDays)",
            bounds: "Days of one report",
            beyond: "422"),
        LimitRow(
            "ReportQuery.mostDaysOfHours", "\(ReportQuery.mostDaysOfHours)",
            bounds: "Days of one report by hours",
            beyond: "422"),
        LimitRow(
            "Report.mostMembers", "\(Report.mostMembers)",
            bounds: "Agents, teams, labels, kinds or entry links that a report names",
            beyond: "those with least work are left out"),
        LimitRow(
            "ReportEntry.maximumBytes", "\(ReportEntry.maximumBytes)",
            bounds: "Intent and group of a link that a report counts by, UTF-8, each",
            beyond: "cut off"),
        LimitRow(
            "Macro.most", "\(Macro.most)",
            bounds:
                "Macros that a business shares, and those of one agent for it, retired ones included",
            beyond: "422"),
        LimitRow(
            "Macro.maximumNameBytes", "\(Macro.maximumNameBytes)",
            bounds: "A macro's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "TeamAction.most", "\(TeamAction.most)",
            bounds: "Actions of a macro or a rule",
            beyond: "422"),
        LimitRow(
            "TeamAction.maximumNoteBytes", "\(TeamAction.maximumNoteBytes)",
            bounds: "A note that a macro or a rule leaves, UTF-8",
            beyond: "422"),
        LimitRow(
            "TeamAction.maximumMinutes", "\(TeamAction.maximumMinutes)",
            bounds: "Minutes of a macro's or a rule's snooze",
            beyond: "422"),
        LimitRow(
            "Webhook.most", "\(Webhook.most)",
            bounds: "Webhook endpoints of one business",
            beyond: "422"),
        LimitRow(
            "Webhook.maximumURLBytes", "\(Webhook.maximumURLBytes)",
            bounds: "The address of a webhook endpoint",
            beyond: "422"),
        LimitRow(
            "Webhook.maximumDescriptionBytes", "\(Webhook.maximumDescriptionBytes)",
            bounds: "The description of a webhook endpoint, UTF-8",
            beyond: "422"),
        LimitRow(
            "Webhook.mostTypes", "\(Webhook.mostTypes)",
            bounds: "Types of events that a webhook endpoint names",
            beyond: "422"),
        LimitRow(
            "Webhook.mostLabels", "\(Webhook.mostLabels)",
            bounds: "Labels of a webhook endpoint's filter",
            beyond: "422"),
        LimitRow(
            "Webhook.mostAttemptsAtOnce", "\(Webhook.mostAttemptsAtOnce)",
            bounds: "Attempts to one webhook endpoint at once",
            beyond: "422 for more; further events wait"),
        LimitRow(
            "WebhookHeader.most", "\(WebhookHeader.most)",
            bounds: "Fields of its own that a webhook endpoint has",
            beyond: "422"),
        LimitRow(
            "WebhookHeader.maximumNameBytes", "\(WebhookHeader.maximumNameBytes)",
            bounds: "The name of such a field",
            beyond: "422"),
        LimitRow(
            "WebhookHeader.maximumValueBytes", "\(WebhookHeader.maximumValueBytes)",
            bounds: "The value of such a field, UTF-8",
            beyond: "422"),
        LimitRow(
            "WebhookRoutes.mostOverlapHours", "\(WebhookRoutes.mostOverlapHours)",
            bounds: "Hours for which a webhook's former secret stays valid",
            beyond: "422"),
        LimitRow(
            "WebhookTrialRoutes.mostDataBytes", "\(WebhookTrialRoutes.mostDataBytes)",
            bounds: "The data of a test event",
            beyond: "422"),
        LimitRow(
            "WebhookDeliveryRoutes.replayedPages", "\(WebhookDeliveryRoutes.replayedPages)",
            bounds: "Pages of 300 events that one request to replay looks at",
            beyond: "`next` leads on"),
        LimitRow(
            "DeliveryAttempt.maximumAnswerBytes", "\(DeliveryAttempt.maximumAnswerBytes)",
            bounds: "Bytes of a webhook endpoint's answer that are kept",
            beyond: "cut off"),
        LimitRow(
            "TeamRule.most", "\(TeamRule.most)",
            bounds: "Rules of one business",
            beyond: "422"),
        LimitRow(
            "TeamRule.maximumNameBytes", "\(TeamRule.maximumNameBytes)",
            bounds: "A rule's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "RuleCondition.most", "\(RuleCondition.most)",
            bounds: "Conditions of a rule",
            beyond: "422"),
        LimitRow(
            "RuleCondition.maximumTextBytes", "\(RuleCondition.maximumTextBytes)",
            bounds: "A text, language, intent or group of a rule's condition, UTF-8",
            beyond: "422"),
        LimitRow(
            "RuleMark.longestChain", "\(RuleMark.longestChain)",
            bounds: "Rules that lead to each other",
            beyond: "nothing is done, and the log of rules says so"),
        LimitRow(
            "RuleAct.mostOfRoot", "\(RuleAct.mostOfRoot)",
            bounds: "Times that rules act because of one event",
            beyond: "nothing is done, and the log of rules says so"),
        LimitRow(
            "RuleAct.mostOfBusiness", "\(RuleAct.mostOfBusiness)",
            bounds: "Entries of the log of rules of one business",
            beyond: "the oldest are forgotten"),
        LimitRow(
            "RuleDryRun.mostEvents", "\(RuleDryRun.mostEvents)",
            bounds: "Events of the business that a dry run of a rule looks at",
            beyond: "the newest"),
        LimitRow(
            "RuleDryRun.mostRead", "\(RuleDryRun.mostRead)",
            bounds: "Events of all businesses that a dry run reads for them",
            beyond: "the newest"),
        LimitRow(
            "RuleRoutes.mostMatches", "\(RuleRoutes.mostMatches)",
            bounds: "Events that the answer of a dry run names",
            beyond: "the newest, and their number"),
        LimitRow(
            "ServiceLevels.longestMinutes", "\(ServiceLevels.longestMinutes)",
            bounds: "Minutes until an answer is due that can be promised", beyond: "422"),
        LimitRow(
            "ServiceLevels.longestWarning", "\(ServiceLevels.longestWarning)",
            bounds: "Minutes before an answer is due from which on it is about to break",
            beyond: "422"),
        LimitRow(
            "SatisfactionPlan.longestDelay", "\(SatisfactionPlan.longestDelay)",
            bounds: "Minutes between a closing and the question", beyond: "422"),
        LimitRow(
            "SatisfactionSettings.days", "\(SatisfactionSettings.days.upperBound)",
            bounds: "Days within which a customer is not asked again", beyond: "422"),
        LimitRow(
            "SatisfactionTexts.longestQuestion", "\(SatisfactionTexts.longestQuestion)",
            bounds: "A question about satisfaction, UTF-8", beyond: "422"),
        LimitRow(
            "SatisfactionTexts.longestChoice", "\(SatisfactionTexts.longestChoice)",
            bounds: "What a score is called, UTF-8", beyond: "422"),
        LimitRow(
            "SatisfactionTexts.longestThanks", "\(SatisfactionTexts.longestThanks)",
            bounds: "The thanks for a score, UTF-8", beyond: "422"),
        LimitRow(
            "Satisfaction.longestComment", "\(Satisfaction.longestComment)",
            bounds: "The comment beside a score, Unicode scalars", beyond: "cut off"),
        LimitRow(
            "WidgetSettings.mostOrigins", "\(WidgetSettings.mostOrigins)",
            bounds: "Origins of the pages that a business's widget may be in",
            beyond: "422"),
        LimitRow(
            "WidgetOrigin.maximumBytes", "\(WidgetOrigin.maximumBytes)",
            bounds: "One of these origins",
            beyond: "422"),
        LimitRow(
            "WidgetSettings.mostGreetings", "\(WidgetSettings.mostGreetings)",
            bounds: "Greetings of a business's widget",
            beyond: "422"),
        LimitRow(
            "WidgetSettings.greetingBytes", "\(WidgetSettings.greetingBytes)",
            bounds: "A greeting, UTF-8",
            beyond: "422"),
        LimitRow(
            "WidgetSettings.patternBytes", "\(WidgetSettings.patternBytes)",
            bounds: "The path of a greeting, UTF-8",
            beyond: "422"),
        LimitRow(
            "WidgetSettings.mostSeconds", "\(WidgetSettings.mostSeconds)",
            bounds: "Seconds on a page before a greeting",
            beyond: "422"),
        LimitRow(
            "WidgetSettings.labelBytes", "\(WidgetSettings.labelBytes)",
            bounds: "What the widget's button is called, UTF-8",
            beyond: "422"),
        LimitRow(
            "WidgetSecret.most", "\(WidgetSecret.most)",
            bounds: "Secrets of a widget that are valid at once",
            beyond: "the oldest ends"),
        LimitRow(
            "WidgetIdentity.maximumBytes", "\(WidgetIdentity.maximumBytes)",
            bounds: "A token of a widget's customer",
            beyond: "403 `identity_refused`"),
        LimitRow(
            "WidgetIdentity.mostAttributes", "\(WidgetIdentity.mostAttributes)",
            bounds: "Attributes in such a token",
            beyond: "none is read"),
        LimitRow(
            "WidgetTicket.maximumBytes", "\(WidgetTicket.maximumBytes)",
            bounds: "The cookie of an identity before the first message",
            beyond: "attributes and e-mail address are left out"),
        LimitRow(
            "PageData.mostAttributes", "\(PageData.mostAttributes)",
            bounds: "Attributes that a page says of its customer with a message",
            beyond: "422"),
        LimitRow(
            "PageData.pathBytes", "\(PageData.pathBytes)",
            bounds: "The path that a page says, UTF-8",
            beyond: "422"),
        LimitRow(
            "LauncherRoutes.mostUnread", "\(LauncherRoutes.mostUnread)",
            bounds: "Messages that are looked at to count those that are unread",
            beyond: "the newest"),
        LimitRow(
            "SavedView.most", "\(SavedView.most)",
            bounds: "Views that a business shares, and those of one agent", beyond: "422"),
        LimitRow(
            "SavedView.maximumNameBytes", "\(SavedView.maximumNameBytes)",
            bounds: "A view's name, UTF-8", beyond: "422"),
        LimitRow(
            "SavedView.mostCounted", "\(SavedView.mostCounted)",
            bounds: "Conversations of a view that are counted", beyond: "`isMore`"),
        LimitRow(
            "ViewFilter.mostLabels", "\(ViewFilter.mostLabels)",
            bounds: "Labels that one list asks for", beyond: "422"),
        LimitRow(
            "ViewFilter.mostAttributes", "\(ViewFilter.mostAttributes)",
            bounds: "Attributes that one list asks for", beyond: "422"),
        LimitRow(
            "WordedConversations.mostFound", "\(WordedConversations.mostFound)",
            bounds: "Customers by their names, and messages, that a list's text looks at",
            beyond: "those beyond are not in the list; a view's count says `isMore`"),
    ]
}
