public import DeskWeb

extension Permission {
    /// To call a public route; no credential is looked at.
    public static let open = Permission("open")

    // MARK: People

    /// To read and to end the own session.
    public static let useOwnSession = Permission("session.use")
    /// To register a further business.
    public static let registerBusinesses = Permission("businesses.register")

    // MARK: A business

    /// To read businesses.
    public static let readBusinesses = Permission("businesses.read")
    /// To change a business's name, colour and picture.
    public static let manageBusiness = Permission("business.manage")
    /// To list whom a conversation can be assigned to.
    public static let readMembers = Permission("members.read")
    /// To invite members, to change their roles, to remove them.
    public static let manageMembers = Permission("members.manage")
    /// To make API keys, to confirm and to end their grants.
    public static let manageKeys = Permission("keys.manage")
    /// To read entry links and their QR codes.
    public static let readEntryLinks = Permission("entry_links.read")
    /// To make and to delete entry links.
    public static let manageEntryLinks = Permission("entry_links.manage")
    /// To read templates.
    public static let readTemplates = Permission("templates.read")
    /// To publish templates.
    public static let publishTemplates = Permission("templates.publish")
    /// To change more conversations in one request than agents may.
    public static let changeManyConversations = Permission("conversations.bulk")
    /// To define attributes, and to change and to retire them.
    public static let manageAttributes = Permission("attributes.manage")
    /// To add, to change and to remove people and teams, as an identity provider does.
    public static let provisionPeople = Permission("people.provision")
    /// To make, to change and to retire labels.
    public static let manageLabels = Permission("labels.manage")
    /// To make, to change and to retire teams, and to say who belongs to them.
    public static let manageTeams = Permission("teams.manage")
    /// To choose how conversations are assigned by themselves.
    public static let manageAssignment = Permission("assignment.manage")
    /// To set business hours.
    public static let manageHours = Permission("hours.manage")
    /// To read, to make, to change and to remove rules, and to read what they did.
    public static let manageRules = Permission("rules.manage")
    /// To read reports of all work of a business.
    public static let readReports = Permission("reports.read")
    /// To read reports of one's own work.
    public static let readOwnReports = Permission("reports.read_own")
    /// To make and to change macros of one's own.
    public static let writeMacros = Permission("macros.write")
    /// To make and to change the macros that all members share.
    public static let manageMacros = Permission("macros.manage")
    /// To choose how soon a business wants to answer.
    public static let manageServiceLevels = Permission("service_levels.manage")
    /// To choose whether and how customers are asked how satisfied they are.
    public static let manageSatisfaction = Permission("satisfaction.manage")
    /// To save views of one's own.
    public static let writeViews = Permission("views.write")
    /// To save the views that all members share.
    public static let manageViews = Permission("views.manage")
    /// To read the business's links to gateways, their deliveries and the wire log.
    public static let readGateway = Permission("gateway.read")
    /// To change links to gateways and to retry deliveries.
    public static let manageGateway = Permission("gateway.manage")

    /// To make and to change webhook endpoints, to read what they were sent, and to send it again.
    public static let manageWebhooks = Permission("webhooks.manage")

    /// To import customers, conversations and messages of another system.
    public static let importHistory = Permission("history.import")
    /// To read all customers, conversations and messages of a business at once.
    public static let exportHistory = Permission("history.export")
    /// To read what waits for a second person's approval, and what was decided.
    public static let readApprovals = Permission("approvals.read")
    /// To approve and to refuse what others ask for, and to choose what needs it.
    public static let manageApprovals = Permission("approvals.manage")
    /// To read who changed what of a business.
    public static let readAudit = Permission("audit.read")

    // MARK: Conversations

    /// To list, to search and to read conversations with their messages.
    public static let readConversations = Permission("conversations.read")
    /// To change a conversation's state and assignee, to mark it as read, to add notes.
    public static let handleConversations = Permission("conversations.handle")
    /// To follow conversations.
    public static let watchConversations = Permission("conversations.watch")
    /// To change what is known of contacts: names, external ids, notes.
    public static let writeContacts = Permission("contacts.write")
    /// To merge contacts, and to undo it.
    public static let mergeContacts = Permission("contacts.merge")
    /// To see which contacts of other businesses of one's own are the same person, to link and to part them.
    public static let linkContacts = Permission("contacts.link")
    /// To block customers, and to undo it.
    public static let blockContacts = Permission("contacts.block")
    /// To send messages and typing signals.
    public static let sendMessages = Permission("messages.send")
    /// To erase the content of messages, for good.
    public static let eraseMessages = Permission("messages.erase")
    /// To see what is kept from being erased, and why.
    public static let readHolds = Permission("holds.read")
    /// To keep content from being erased, and to release it.
    public static let manageHolds = Permission("holds.manage")
    /// To suggest answers, and to put suggested ones away.
    public static let suggestReplies = Permission("suggestions.write")
    /// To ask the operator's model for drafts, summaries and translations.
    public static let askAssistant = Permission("assistant.ask")
    /// To connect an assistant by the Model Context Protocol.
    public static let useMCP = Permission("mcp.use")
    /// To save what was begun in a conversation, on the server and for the own eyes alone.
    public static let writeDrafts = Permission("drafts.write")
    /// To have payloads validated and texts diagnosed without sending them.
    public static let checkMessages = Permission("messages.check")
    /// To read the files of conversations, of templates and of the library.
    public static let readAttachments = Permission("attachments.read")
    /// To upload files.
    public static let useAttachments = Permission("attachments.use")
    /// To add files to the library of a business, and to rename and remove those that one added.
    public static let addToLibrary = Permission("library.add")
    /// To rename and remove every file of a library.
    public static let manageLibrary = Permission("library.manage")
    /// To follow events with the WebSocket of pages.
    public static let followLive = Permission("live.follow")
    /// To follow events with the event stream of integrations.
    public static let followEvents = Permission("events.follow")

    // MARK: The sandbox

    /// To use the sandbox page: join codes, scripts, the clock.
    public static let useSandbox = Permission("sandbox.use")
    /// To let the test merchant and the simulated phones answer.
    public static let playCustomers = Permission("sandbox.customers")

    // MARK: Customers

    /// To see a business's page and to write the first message.
    public static let startConversation = Permission("own_conversation.start")
    /// To read, to answer, to mute and to delete the own conversation.
    public static let useOwnConversation = Permission("own_conversation.use")
}
