import DeskStore
import FoundationEssentials
import TestSupport
import Testing

/// Whether `AuditContract` makes every change that there is, through every requirement there is.
@Suite struct AuditCoverageTests {
    /// Requirements that only read.
    private static let reads: Set = [
        "agents", "assignment", "auditRecords", "availability", "businesses", "countDeliveries",
        "countPending",
        "deliveries",
        "drafts",
        "dueWork", "findDueWork", "findPreferences", "nextDueTime",
        "entryLinks",
        "exchanges", "findAccount", "identities", "findAgent", "findAnswer", "findAttachment",
        "findBusiness", "findCursor",
        "findDraft",
        "findInvitation", "findJoinCode", "findKey", "findMMCSObject", "findSession",
        "findStoredSession",
        "findScriptRun", "scriptRuns",
        "findSetting", "findTemplate", "findUpstream", "firstNeeded", "gatewayLinks", "findMacro",
        "macros",
        "hasRoom", "heldBytes", "invitations", "keys", "labels", "memberships", "nextDeliveries",
        "teams",
        "requests", "templates", "unseenMentions", "suggestions", "widget",
        "retention", "retentions", "legalHolds", "heldContent",
        "secondFactor", "passkeys", "provisionedPeople", "provisionedTeams", "findPasskey",
        "agentsWithSecondFactor", "pushSubscriptions",
        "agentPushSubscriptions", "approvalRules", "approval", "approvals", "approvalsWaiting",
    ]
    /// Notify, and change nothing.
    private static let others: Set = ["followRegistries", "followRetries"]
    /// Changes that only steps of groups make; `AuditContract` has a test of them.
    private static let ofGroups: Set = [
        "publishTemplate", "removeTemplate", "saveAssignment", "saveAutomaticAnswers", "saveHours",
        "saveLabel",
        "saveTeam", "useJoinCode", "bindUpstream", "saveAttribute", "saveContact",
        "saveView", "removeView", "saveServiceLevels", "saveSatisfaction", "saveLibraryFile",
        "removeLibraryFile", "linkContact",
        "mergeContact", "unmergeContact", "blockContact", "saveRule", "removeRule",
        "eraseContact", "eraseConversation", "placeLegalHold", "releaseLegalHold",
        "keepObjects", "addSuggestion", "settleSuggestion", "saveBot",
        "changeMember",
    ]

    /// Changes that another contract makes, which checks their records.
    private static let elsewhere: Set = ["encryptSecrets"]

    private static func text(_ path: String) throws -> String {
        try #require(TestFiles.text(path), "\(path)")
    }

    private static func cases() throws -> String {
        try [
            "Approvals", "Cases", "Identities", "Passkeys", "Provisioning", "Push", "Retention",
            "SecondFactors",
        ].map { topic in
            try text("Tests/DeskStoreTests/Contract/AuditContract+\(topic).swift")
        }.joined()
    }

    /// How often each name follows a text.
    private static func names(after mark: String, in text: String) -> [String: Int] {
        text.components(separatedBy: mark).dropFirst().reduce(into: [:]) {
            $0[String($1.prefix { $0.isLetter || $0.isNumber }), default: 0] += 1
        }
    }

    @Test func `every requirement that changes rows is called by a case`() throws {
        let files = [
            "Promises/Registries", "Promises/IdentityRegistry", "Promises/DraftRegistry",
            "Promises/MentionRegistry",
            "Promises/DueWorkRegistry", "Promises/AvailabilityRegistry",
            "Promises/OutboxRegistry", "Promises/ReaderRegistry",
            "Promises/MacroRegistry", "Promises/ScriptRunRegistry", "Promises/WidgetRegistry",
            "Promises/RetentionRegistry", "Promises/LegalHoldRegistry",
            "Promises/SecondFactorRegistry", "Promises/PasskeyRegistry", "Promises/PushRegistry",
            "Promises/ProvisioningRegistry", "Promises/ApprovalRegistry",
            "Promises/GatewayRegistry", "Promises/SuggestionRegistry",
            "Registry/AuditRegistry",
        ]
        var offered: [String: Int] = [:]
        for file in files {
            let source = try Self.text("Sources/DeskStore/\(file).swift")
            for (name, count) in Self.names(after: "\n    func ", in: source)
            where !Self.reads.contains(name) && !Self.others.contains(name) {
                offered[name, default: 0] += count
            }
        }
        #expect(offered.count > 35)
        let made = Self.names(after: "$0.", in: try Self.cases())
        for (name, count) in offered {
            #expect(made[name, default: 0] >= count, "\(name)")
        }
    }

    @Test func `every kind of change is made by a case, or is a step of a group`() throws {
        var kinds: Set<String> = []
        for file in ["PeopleChange", "CredentialChange", "ContentChange", "LinkChange"] {
            let source = try Self.text("Sources/DeskStore/Registry/\(file).swift")
            kinds.formUnion(Self.names(after: "\n    case ", in: source).keys)
        }
        #expect(kinds.count > 45)
        let source = try Self.cases()
        var made: Set<String> = []
        for topic in ["people", "credentials", "contents", "links"] {
            made.formUnion(Self.names(after: "\(topic)(.", in: source).keys)
            made.formUnion(
                Self.names(after: "\(topic)(\n                .", in: source).keys)
        }
        #expect(kinds.subtracting(made) == Self.ofGroups.union(Self.elsewhere))
    }
}
