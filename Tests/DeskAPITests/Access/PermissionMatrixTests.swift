import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// Which role may call which route: the table, the routes and the OpenAPI file agree, and the request
/// pipeline does what the table says.
struct PermissionMatrixTests {
    /// Operations with the roles that may call them.
    private static let expected: [(roles: Set<String>, operations: [String])] = [
        (
            ["person"],
            [
                "getSecondFactor", "beginSecondFactor", "confirmSecondFactor",
                "replaceRecoveryCodes", "removeSecondFactor", "getPasskeys", "beginPasskey",
                "addPasskey", "removePasskey",
                "getSession", "listIdentities", "changePreferences", "chooseAvailability",
                "changeAccount", "changePassword",
                "signOut", "getPush", "putPush", "removePush", "testPush",
            ]
        ),
        (
            ["owner"],
            [
                "registerBusiness", "changeBusiness", "setPicture", "removePicture", "listKeys",
                "makeKey", "revokeKey", "replaceKey", "listKeyRequests", "listBusinessKeys",
                "confirmKeyGrant", "endKeyGrant", "makeBot", "changeBot", "inviteMember",
                "listInvitations", "withdrawInvitation", "changeMember", "removeMember",
                "getWidget", "setWidget", "getRetention", "previewRetention", "setRetention",
                "removeRetention", "makeWidgetSecret", "removeWidgetSecret",
            ]
        ),
        (
            ["owner", "supervisor"],
            [
                "setAssignment", "setTeamAssignment", "removeTeamAssignment", "setServiceLevels",
                "setSatisfaction", "listRules", "makeRule", "getRule", "setRule", "removeRule",
                "dryRunRule", "listRuleLog",
            ]
        ),
        (
            ["owner", "supervisor", "agent"],
            [
                "listDrafts", "getDraft", "saveDraft", "removeDraft", "makeMacro", "changeMacro",
                "saveView", "changeView", "removeView", "watchConversation", "unwatchConversation",
                "listContactLinks", "linkContact", "unlinkContact", "draftReply", "summarise",
                "translateMessage",
            ]
        ),
        (
            ["key"],
            [
                "useMCP", "listSCIMResources", "addSCIMResource", "readSCIMResource",
                "replaceSCIMResource", "changeSCIMResource", "removeSCIMResource",
                "searchSCIMResources",
            ]
        ),
        (
            ["owner", "supervisor", "agent", "key"],
            [
                "streamEvents", "addLibraryFile", "renameLibraryFile", "removeLibraryFile",
            ]
        ),
        (
            ["owner", "supervisor", "agent", "auditor", "key"],
            [
                "listMembers", "getReport", "listEntryLinks", "getEntryLinkSVG", "getEntryLinkPNG",
            ]
        ),
        (
            ["owner", "supervisor", "key"],
            [
                "makeLabel", "changeLabel", "makeTeam", "changeTeam", "setHours", "removeHours",
                "setTeamHours", "removeTeamHours", "setAutomaticAnswers", "makeAttribute",
                "changeAttribute", "mergeContact", "unmergeContact", "blockContact",
                "unblockContact", "createEntryLink", "deleteEntryLink",
            ]
        ),
        (
            ["owner", "key"],
            [
                "eraseMessage", "eraseConversation", "countErasureOfConversation", "eraseContact",
                "countErasureOfContact", "listWebhooks", "makeWebhook", "getWebhook",
                "changeWebhook", "removeWebhook", "renewWebhookSecret", "testWebhook",
                "shakeWebhook", "listWebhookDeliveries", "replayWebhook", "enableWebhook",
                "importLines", "exportTable", "holdConversation", "holdContact", "holdBusiness",
                "releaseConversationHold", "releaseContactHold", "releaseBusinessHold",
            ]
        ),
        (
            ["owner", "auditor", "key"],
            [
                "listAuditRecords", "listLegalHolds", "getLegalHold", "getLegalHoldOfContact",
            ]
        ),
        (["owner", "auditor"], ["listApprovals", "getApproval", "getApprovalRules"]),
        (["owner"], ["setApprovalRules", "explainApproval", "decideApproval"]),
        (
            ["owner", "supervisor", "agent", "auditor", "key", "sandbox"],
            [
                "listBusinesses", "getBusiness", "listTemplates", "getTemplate",
                "listConversations", "getConversation", "listMessages", "listScheduled",
                "getMessage", "searchMessages", "countViews",
                "listLabels", "listTeams", "listPresence", "getHours", "getTeamHours",
                "getAutomaticAnswers", "getServiceLevels", "getSatisfaction", "openLive",
                "getAssignment", "getTeamAssignment", "getGateway", "listContacts", "getContact",
                "listAttributes", "getTranscript", "getTranscripts", "listMacros", "listSavedViews",
                "listDeliveries", "listExchanges", "listMessageDeliveries", "getAttachment",
                "listLibrary", "listSuggestions", "listBots", "getControl",
            ]
        ),
        (
            ["owner", "supervisor", "agent", "key", "sandbox"],
            [
                "publishTemplate", "listWhatsAppTemplates", "previewTemplate", "validate",
                "diagnose", "translate",
                "removeTemplate", "sendTemplate", "sendWhatsAppTemplate",
                "changeConversation", "changeConversations", "markRead", "signalTyping", "addNote",
                "changeNote", "addParticipant", "removeParticipant", "deleteNote",
                "withdrawScheduled", "sendMessage", "sendBatch", "changeContact", "runMacro",
                "uploadAttachment", "createMerchantSession", "answerInvitation", "addSuggestion",
                "rejectSuggestion", "changeControl",
            ]
        ),
        (
            ["owner", "sandbox"],
            [
                "putRegistration", "removeRegistration", "renewRegistrationSecret", "putUpstream",
                "putWhatsApp", "removeWhatsApp", "removeUpstream", "retryDeliveries",
                "retryDeliveriesNow",
            ]
        ),
        (
            ["owner", "supervisor", "agent", "sandbox"],
            [
                "getSandbox", "createJoinCode", "getJoinCode", "getJoinCodeQR", "runScript",
                "expectMessage", "getClock", "advanceClock", "startScriptRun", "listScriptRuns",
                "getScriptRun", "skipScriptWait", "stopScriptRun",
            ]
        ),
        (
            ["customer"],
            [
                "listPhoneMessages", "getPhoneMessage", "sendPhoneChoice", "signalPhoneTyping",
                "mutePhone", "deletePhoneConversation", "openPhoneLive", "updatePhonePayment",
                "getPhoneSignIn", "uploadPhoneAttachment", "getPhoneAttachment",
                "getPhonePush", "putPhonePush", "removePhonePush",
            ]
        ),
        (["anyone", "customer"], ["getPhone", "sendPhoneMessage", "getWidgetLauncher"]),
        (
            ["anyone"],
            [
                "getSetup", "setUp", "signIn", "beginPasskeySignIn", "signInWithPasskey",
                "getSignOn", "beginSignOn", "startSignOn",
                "requestPasswordLink",
                "finishSignOn", "receiveSAMLResponse", "openSAMLResponses", "getSAMLMetadata",
                "openInvitation",
                "acceptInvitation",
                "findPhoneCode", "typePhoneCode", "openSandboxSession", "getOpenAPI",
                "requestMerchantSession", "updatePaymentMethod", "updateShippingContact",
                "updateShippingMethod", "trackOrder", "processPayment", "openPaymentFallback",
                "getPicture", "getPhoneManifest", "openFrontPage", "getWebFile", "getSchema",
                "getDocument", "openDocuments", "getLLMsText", "isAlive",
                "isReady", "getMetrics", "openConsole", "openConsolePlace", "openSandbox",
                "openEntryLink", "openSignIn", "openSignedIn", "openTypedCode", "openJoinCode",
                "openWidget", "getWidgetScript", "identifyWidgetCustomer",
                "forgetWidgetCustomer", "allowWidgetIdentity",
            ]
        ),
    ]

    @Test func `each route is for the roles that its permission has in the table`() async throws {
        let server = try await TestServer()
        var stated: [String: Set<String>] = [:]
        for (roles, operations) in Self.expected {
            for operation in operations { stated[operation] = roles }
        }
        var found: [String: Set<String>] = [:]
        for row in server.api.table.rows {
            found[row.operation] = Set(
                PermissionTable.product.roles(with: row.permission).map(\.name))
        }
        for (operation, roles) in found { #expect(stated[operation] == roles, "\(operation)") }
        #expect(Set(stated.keys).subtracting(found.keys) == [])
    }

    @Test func `the OpenAPI file states the credentials of the roles that may call a route`()
        async throws
    {
        let server = try await TestServer()
        for row in server.api.table.rows {
            let credentials = PermissionTable.product.roles(with: row.permission).map { role in
                switch role {
                case .anyone: "none"
                case .key: "key"
                case .sandbox: "sandbox"
                case .customer: "customer"
                default: "session"
                }
            }
            #expect(
                OpenAPICheck.shared.credentials(of: row.operation) == Set(credentials),
                "\(row.operation)")
        }
    }

    /// Those who send requests in the business of the sandbox, with their roles there.
    enum Caller: String, CaseIterable {
        case anonymous, owner, supervisor, agent, auditor, key, sandbox, customer

        var roles: Set<PrincipalRole> {
            switch self {
            case .anonymous: [.anyone]
            case .owner: [.anyone, .person, .owner]
            case .supervisor: [.anyone, .person, .supervisor]
            case .agent: [.anyone, .person, .agent]
            case .auditor: [.anyone, .person, .auditor]
            case .key: [.anyone, .key]
            case .sandbox: [.anyone, .sandbox]
            case .customer: [.anyone, .customer]
            }
        }

        /// The refusal of a route that the caller may not call.
        func refusal(_ row: RouteTable.Row) -> Int {
            switch (self, row.business) {
            case (_, .session), (.key, .sandbox): 401
            case (.owner, _), (.supervisor, _), (.agent, _), (.auditor, _), (.key, _): 403
            case (.anonymous, _), (.sandbox, _), (.customer, _): 401
            }
        }

        func make(_ server: TestServer) async throws -> TestServer.Caller {
            switch self {
            case .anonymous: .anonymous
            case .owner: try await server.makeOwner()
            case .supervisor, .agent, .auditor:
                try await server.makeMember(
                    "ben@example.com", Role(rawValue) ?? .agent, of: server.business,
                    by: server.makeOwner())
            case .key: try await server.makeKey([server.business])
            case .sandbox: try await server.makeSandboxVisitor()
            case .customer: try await server.makePhone().caller
            }
        }
    }

    @Test func `the OpenAPI file names the roles of members that the table has`() {
        let schemas = OpenAPICheck.shared.document.root["components"]?["schemas"]
        let words = schemas?["Role"]?["enum"]?.elements.compactMap(\.string)
        #expect(words == PermissionTable.product.memberRoles.map(\.name))
        var others = 0
        func look(_ value: JSONValue) {
            for member in value.members {
                if member.key == "role", member.value["enum"] != nil { others += 1 }
                look(member.value)
            }
            for element in value.elements { look(element) }
        }
        look(OpenAPICheck.shared.document.root)
        #expect(others == 0, "a role that is not the schema Role")
    }

    @Test(arguments: Caller.allCases)
    func `a caller gets exactly the routes of its roles`(caller: Caller) async throws {
        let server = try await TestServer()
        let sender = try await caller.make(server)
        let conversation = try await server.makeConversation()
        var (admitted, refused) = (0, 0)
        for row in server.api.table.rows {
            let roles = PermissionTable.product.roles(with: row.permission)
            let isAdmitted = roles.contains { caller.roles.contains($0) }
            guard let status = try await server.probe(row, conversation.id, by: sender) else {
                continue
            }
            #expect(
                status == (isAdmitted ? 400 : caller.refusal(row)), "\(row.operation)")
            if isAdmitted { admitted += 1 } else { refused += 1 }
        }
        #expect(admitted >= 10)
        #expect(refused >= 10)
    }

    // MARK: A further role

    private static let inspector = PrincipalRole(Role("inspector") ?? .agent)
    private static let inspecting: Set<Permission> = [
        .readConversations, .readGateway, .manageKeys, .useSandbox, .followEvents,
    ]

    /// A server with a further row in its table, and a person of that role in the sandbox's business
    /// and of the role `agent` in the other one.
    private func makeServer() async throws -> TestServer {
        var table = PermissionTable.product
        table.add(PermissionTable.Row(Self.inspector, Self.inspecting))
        var random = SystemRandomNumberGenerator()
        let time = TestTime()
        let agent = Agent(
            id: AgentID(UniqueID(using: &random)), name: "Eve", email: "eve@example.com",
            password: nil, createdAt: time.now)
        let roles = Roles()
        let server = try await TestServer(
            permissions: table, agents: PersonAuthenticator(agent: agent) { roles.value })
        roles.set([server.business.id: Self.inspector, server.other.id: .agent])
        return server
    }

    @Test func `a role that is only a row in the table gets exactly its routes`() async throws {
        let server = try await makeServer()
        let conversation = try await server.makeConversation()
        for row in server.api.table.rows {
            let isAdmitted: Bool =
                switch row.business {
                case .none: row.permission == .open || row.permission == .useOwnSession
                case .session: row.permission == .startConversation
                case .any:
                    Self.inspecting.contains(row.permission)
                        || server.services.permissions.roles(with: row.permission).contains(.agent)
                // In the other business the person is an agent, and the query names none.
                case .query: true
                case .path, .conversation, .sandbox: Self.inspecting.contains(row.permission)
                }
            guard let status = try await server.probe(row, conversation.id) else { continue }
            let refusal = row.business == .session ? 401 : 403
            #expect(status == (isAdmitted ? 400 : refusal), "\(row.operation)")
        }
    }

    @Test func `a role gets of each list only the businesses in which it has the permission`()
        async throws
    {
        let server = try await makeServer()
        _ = try await server.makeConversation()
        _ = try await server.makeConversation(server.other)
        let all = try await server.get("/api/conversations")
        #expect(all["data"]?.count == 2)
        // Inspectors read conversations, and not businesses or templates.
        let businesses = try await server.get("/api/businesses")
        #expect(businesses["data"]?.count == 1)
        #expect(businesses["data"]?[0]?["id"]?.string == server.other.id.text)
        let template = try await server.get("/api/templates?business=\(server.business.id)")
        #expect(template.status == 403)
        #expect(try await server.get("/api/templates").status == 200)
        let body = #"{"messages":[{"conversation":"%","payload":{"type":"text","body":"x"}}]}"#
        let conversation = try await server.makeConversation()
        let batch = try await server.post(
            "/api/messages/batch", body.replacing("%", with: conversation.id.text),
            headers: ["Origin": TestServer.origin])
        #expect(batch["results"]?[0]?["status"]?.int == 404)
    }

    @Test func `a refusal names the roles that may, and the caller's own`() async throws {
        let server = try await makeServer()
        let conversation = try await server.makeConversation()
        let refused = try await server.post(
            "/api/conversations/\(conversation.id)/messages", #"{"type":"text","body":"x"}"#,
            headers: ["Origin": TestServer.origin])
        #expect(refused.status == 403)
        #expect(
            refused["detail"]?.string
                == "Only a signed-in owner, supervisor or agent of this business may do this. "
                + "You are an inspector here: ask an owner.")
    }

    @Test func `a route that needs a permission for a business says for which`() async throws {
        await #expect(processExitsWith: .failure) {
            let server = try await TestServer()
            var table = RouteTable()
            table.add(
                .get, "/api/toy", operation: "getToy", permission: .readConversations
            ) { _ throws(Problem) in Response(status: .ok) }
            _ = API(
                services: server.services,
                authenticators: Authenticators(services: server.services), table: table)
        }
    }
}
