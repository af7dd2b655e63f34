import DeskModel
public import DeskWeb

extension PrincipalRole {
    /// A signed-in agent who owns the business.
    public static let owner = PrincipalRole(.owner)
    /// A signed-in agent who leads the people of the business.
    public static let supervisor = PrincipalRole(.supervisor)
    /// A signed-in agent who is a member of the business.
    public static let agent = PrincipalRole(.agent)
    /// A signed-in agent who reads the business's work.
    public static let auditor = PrincipalRole(.auditor)
}

extension PermissionTable {
    /// Who may do what on this server.
    ///
    /// A further role of members is a further row here, `Row(PrincipalRole(role), …)`.
    public static let product: PermissionTable = {
        let reading: Set<Permission> = [
            .readBusinesses, .readTemplates, .readGateway, .readConversations, .readAttachments,
            .followLive,
        ]
        let shared = reading.union([
            .publishTemplates, .handleConversations, .sendMessages, .useAttachments,
            .checkMessages, .playCustomers, .writeContacts, .suggestReplies,
        ])
        let agent = shared.union([
            .readMembers, .readEntryLinks, .followEvents, .useSandbox, .writeDrafts,
            .readOwnReports, .writeMacros, .writeViews, .watchConversations,
            .addToLibrary, .linkContacts, .askAssistant,
        ])
        let supervisor = agent.union([
            .manageEntryLinks, .manageLabels, .manageTeams, .manageHours, .manageAssignment,
            .changeManyConversations, .manageAttributes, .mergeContacts, .blockContacts,
            .readReports, .manageMacros, .manageViews, .manageRules, .manageServiceLevels,
            .manageSatisfaction, .manageLibrary,
        ])
        let owner = supervisor.union([
            .registerBusinesses, .manageBusiness, .manageMembers, .manageKeys, .manageGateway,
            .eraseMessages, .manageWebhooks, .importHistory, .exportHistory, .readAudit,
            .readApprovals, .manageApprovals, .readHolds, .manageHolds,
        ])
        let auditor = reading.union([
            .readMembers, .readEntryLinks, .readReports, .readOwnReports, .readAudit,
            .readApprovals, .readHolds,
        ])
        return PermissionTable(
            [
                Row(.anyone, [.open, .startConversation]),
                Row(.person, [.useOwnSession]),
                Row(.owner, owner),
                Row(.supervisor, supervisor),
                Row(.agent, agent),
                Row(.auditor, auditor),
                Row(
                    .key,
                    shared.union([
                        .readMembers, .followEvents, .readReports, .readOwnReports, .addToLibrary,
                        .manageWebhooks, .useMCP, .readEntryLinks, .manageEntryLinks, .manageLabels,
                        .manageTeams, .manageHours, .manageAttributes, .changeManyConversations,
                        .mergeContacts, .blockContacts, .eraseMessages, .manageLibrary,
                        .importHistory, .exportHistory, .readAudit, .provisionPeople, .readHolds,
                        .manageHolds,
                    ])),
                Row(.sandbox, shared.union([.manageGateway, .useSandbox])),
                Row(.customer, [.startConversation, .useOwnConversation]),
            ], scopes: keyScopes)
    }()

    // What every key may do, whatever its scopes: find out which businesses it is for, and connect an
    // assistant, whose tools are those of its scopes.
    private static let keyScopes: [(scope: KeyScopes, permissions: Set<Permission>)] = [
        (.all, [.readBusinesses, .useMCP]),
        (
            .read,
            [
                .readConversations, .followLive, .followEvents, .readAttachments, .readMembers,
                .readEntryLinks, .readTemplates, .readReports, .readOwnReports,
                .exportHistory,
            ]
        ),
        (.suggest, [.suggestReplies, .checkMessages]),
        (
            .send,
            [
                .sendMessages, .suggestReplies, .handleConversations, .checkMessages,
                .readAttachments, .useAttachments,
                .addToLibrary, .readMembers, .readTemplates, .playCustomers,
            ]
        ),
        (
            .templates,
            [
                .readTemplates, .publishTemplates, .checkMessages, .readAttachments,
                .useAttachments, .addToLibrary,
            ]
        ),
        (.customers, [.writeContacts, .readEntryLinks, .manageEntryLinks]),
        (.webhooks, [.manageWebhooks]),
        (
            .administration,
            [
                .manageEntryLinks, .manageLabels, .manageTeams, .manageHours, .manageAttributes,
                .changeManyConversations, .mergeContacts, .blockContacts, .eraseMessages,
                .manageLibrary, .importHistory, .readAudit, .readHolds, .manageHolds,
            ]
        ),
        (.people, [.provisionPeople]),
        (.wireLog, [.readGateway]),
    ]
}
