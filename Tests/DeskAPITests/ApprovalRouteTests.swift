import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What needs a second person's approval, and how it is given.
struct ApprovalRouteTests {
    /// A server with two owners of a business in which everything is guarded.
    private struct Setting {
        let server: TestServer
        let ada, ben: TestServer.Caller
        let talk: Conversation
        var path: String { "/api/businesses/\(server.other.id)" }

        init(guarding areas: [ApprovalArea] = ApprovalArea.choices) async throws {
            server = try await TestServer()
            ada = try await server.makeOwner()
            ben = try await server.makeMember(
                "ben@example.com", .owner, of: server.other, by: ada)
            talk = try await server.makeConversation(server.other)
            if !areas.isEmpty {
                let chosen = try await put(areas.map(\.rawValue), by: ada)
                #expect(chosen.status == 200, "\(chosen.text)")
            }
        }

        func put(_ areas: [String], by caller: TestServer.Caller) async throws -> Answer {
            let list = areas.map { #""\#($0)""# }.joined(separator: ",")
            return try await server.send(
                .put, path + "/approval-rules", #"{"areas":[\#(list)]}"#, by: caller)
        }

        func decide(
            _ decision: String, on id: String, by caller: TestServer.Caller
        ) async throws -> Answer {
            try await server.post(
                "\(path)/approvals/\(id)/decision", #"{"decision":"\#(decision)"}"#, by: caller)
        }

        /// Gives both owners second factors, and requires them.
        func requireSecondFactor() async throws {
            for caller in [ada, ben] {
                let id = try await server.agentID(of: caller)
                _ = try await server.store.beginSecondFactor(
                    PasskeyRouteTests.secret, of: id, at: server.time.now)
                #expect(
                    try await server.store.confirmSecondFactor(
                        of: id, PasskeyRouteTests.code(at: server.time.now),
                        recovery: [.sha256([1])], keeping: try PasskeyRouteTests.session(caller),
                        at: server.time.now) == .accepted)
            }
            let required = try await server.send(
                .patch, path, #"{"requiresSecondFactor":true}"#, by: ada)
            #expect(required.status == 200, "\(required.text)")
        }

        /// Has Ben approve what a refusal says waits.
        func approve(_ refusal: Answer) async throws {
            let id = try #require(refusal["approval"]?["id"]?.string)
            let answer = try await decide("approve", on: id, by: ben)
            #expect(answer.status == 200 && answer["state"]?.string == "approved")
        }
    }

    /// Every guarded operation, as a request that would be carried out.
    private static let requests:
        [(operation: GuardedOperation, method: DeskHTTP.Method, path: String, body: String)] = [
            (.exportTable, .get, "B/exports/messages?format=csv", ""),
            (.eraseMessage, .delete, "T/messages/M", ""),
            (.eraseConversation, .post, "T/erasure", ""),
            (.eraseContact, .post, "B/contacts/C/erasure", ""),
            (.setRetention, .put, "B/retention", #"{"days":40}"#),
            (.removeRetention, .delete, "B/retention", ""),
            (.releaseConversationHold, .delete, "T/legal-hold", ""),
            (.releaseContactHold, .delete, "B/contacts/C/legal-hold", ""),
            (.releaseBusinessHold, .delete, "B/legal-hold", ""),
            (.inviteMember, .post, "B/members", #"{"email":"c@example.com","role":"agent"}"#),
            (.changeMember, .patch, "B/members/A", #"{"role":"supervisor"}"#),
            (.changeBusiness, .patch, "B", #"{"requiresSecondFactor":false}"#),
            (
                .makeKey, .post, "/api/keys",
                #"{"name":"till","businesses":["I"],"scopes":["read"]}"#
            ),
            (.replaceKey, .post, "/api/keys/K/replacement", "{}"),
            (.confirmKeyGrant, .put, "B/keys/K", ""),
            (.makeWidgetSecret, .post, "B/widget/secrets", ""),
            (.makeWebhook, .post, "B/webhooks", #"{"url":"https://hooks.example/a"}"#),
            (.changeWebhook, .patch, "B/webhooks/W", #"{"url":"https://hooks.example/b"}"#),
            (.renewWebhookSecret, .post, "B/webhooks/W/secret", "{}"),
            (.enableWebhook, .post, "B/webhooks/W/enable", ""),
            (
                .putRegistration, .put, "B/gateway/registration",
                #"{"endpoint":"https://provider.example/in"}"#
            ),
            (.renewRegistrationSecret, .post, "B/gateway/registration/secret", ""),
            (
                .putUpstream, .put, "B/gateway/upstream",
                #"{"baseUrl":"https://up.example","mspId":"m","secret":"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}"#
            ),
            (
                .putWhatsApp, .put, "B/gateway/whatsapp",
                #"{"phoneNumberId":"106540352242922","accessToken":"EAAG-secret-token","appSecret":"0123456789abcdef0123456789abcdef"}"#
            ),
            (.setApprovalRules, .put, "B/approval-rules", #"{"areas":[]}"#),
        ]

    @Test func `each guarded operation waits for another owner, and is carried out then`()
        async throws
    {
        let setting = try await Setting(guarding: [])
        let (server, ada) = (setting.server, setting.ada)
        try await setting.requireSecondFactor()
        let key = try await server.post(
            "/api/keys", #"{"name":"k","businesses":["\#(server.other.id)"]}"#, by: ada)
        let webhook = try await server.post(
            setting.path + "/webhooks", #"{"url":"https://hooks.example/old"}"#, by: ada)
        let registered = try await server.send(
            .put, setting.path + "/gateway/registration",
            #"{"endpoint":"https://provider.example/old"}"#, by: ada)
        #expect(registered.status == 201, "\(registered.text)")
        let cem = try await server.makeMember(
            "cem@example.com", .agent, of: server.other, by: ada)
        let page = try await server.get(
            "/api/conversations/\(setting.talk.id)/messages", by: ada)
        let places = [
            "B": setting.path, "T": "/api/conversations/\(setting.talk.id)",
            "M": try #require(page["data"]?[0]?["id"]?.string),
            "C": setting.talk.id.text, "I": server.other.id.text,
            "A": try await server.agentID(of: cem).text,
            "K": try #require(key["key"]?["id"]?.string),
            "W": try #require(webhook["id"]?.string),
        ]
        #expect(Set(Self.requests.map(\.operation)) == Set(GuardedOperation.allCases))
        // The erasures come last: they leave nothing for the others.
        let erasures: [GuardedOperation] = [.eraseMessage, .eraseConversation, .eraseContact]
        let ordered =
            Self.requests.filter { !erasures.contains($0.operation) }.dropLast()
            + Self.requests.filter { erasures.contains($0.operation) } + Self.requests.suffix(1)
        #expect(
            try await setting.put(ApprovalArea.choices.map(\.rawValue), by: ada).status == 200)
        for one in ordered {
            let name = one.operation.rawValue
            // So many requests of one moment are too many.
            server.time.advance(by: .seconds(2))
            func filled(_ text: String) -> String {
                places.reduce(text) { text, place in
                    text.split(separator: "/", omittingEmptySubsequences: false).map {
                        $0 == place.key ? place.value : String($0)
                    }.joined(separator: "/")
                }
            }
            let path = filled(one.path)
            let body = one.body.replacing("\"I\"", with: "\"\(server.other.id)\"")
            if path.hasSuffix("/legal-hold") {
                let held = try await server.send(.put, path, #"{"reason":"Case 7"}"#, by: ada)
                #expect(held.status == 200, "\(name): \(held.text)")
            }
            let refused = try await server.send(one.method, path, body, by: ada)
            #expect(refused.code == "approval_needed", "\(name): \(refused.text)")
            let approval = try #require(refused["approval"], "\(name)")
            #expect(approval["operation"]?.string == name)
            #expect(approval["area"]?.string == one.operation.area.rawValue)
            #expect(approval["state"]?.string == "waiting")
            // No secret is shown.
            #expect(!refused.text.contains("secret-token"), "\(name)")
            #expect(!refused.text.contains("MDEyMzQ1"), "\(name)")
            try await setting.approve(refused)
            let done = try await server.send(one.method, path, body, by: ada)
            #expect((200...299).contains(done.status), "\(name): \(done.status) \(done.text)")
        }
        let left = try await server.get(setting.path + "/approvals?filter[state]=used", by: ada)
        #expect(left["data"]?.count == GuardedOperation.allCases.count)
    }

    @Test func `what is not guarded, and what removes rights, does not wait`() async throws {
        let setting = try await Setting(guarding: [.members, .keys])
        let (server, ada) = (setting.server, setting.ada)
        let export = try await server.get(setting.path + "/exports/messages", by: ada)
        #expect(export.status == 200)
        let ben = try await server.agentID(of: setting.ben)
        let named = try await server.send(
            .patch, setting.path, #"{"name":"Tea","requiresSecondFactor":null}"#, by: ada)
        #expect(named.status == 200, "\(named.text)")
        let removed = try await server.send(
            .delete, setting.path + "/members/\(ben)", by: ada)
        #expect(removed.status == 204)
    }

    @Test func `no person approves the own request, or one of a key that is the own one`()
        async throws
    {
        let setting = try await Setting(guarding: [])
        let (server, ada) = (setting.server, setting.ada)
        let made = try await server.post(
            "/api/keys",
            #"{"name":"nightly","businesses":["\#(server.other.id)"],"scopes":["read"]}"#, by: ada)
        let key = TestServer.Caller.key(try #require(made["secret"]?.string))
        _ = try await setting.put(["exports"], by: ada)
        let path = setting.path + "/exports/messages"
        for caller in [ada, key] {
            let refused = try await server.get(path, by: caller)
            #expect(refused.status == 403 && refused.code == "approval_needed")
            let id = try #require(refused["approval"]?["id"]?.string)
            let own = try await setting.decide("approve", on: id, by: ada)
            #expect(own.code == "forbidden", "\(own.text)")
            let again = try await server.get(path, by: caller)
            #expect(again["approval"]?["id"]?.string == id)
            #expect(try await setting.decide("approve", on: id, by: setting.ben).status == 200)
            #expect(try await setting.decide("approve", on: id, by: setting.ben).status == 409)
            #expect(try await server.get(path, by: caller).status == 200)
            // With other words it is another request.
            #expect(
                try await server.get(path + "?format=csv", by: caller).code == "approval_needed")
        }
        // A key neither sees nor decides anything of it.
        #expect(try await server.get(setting.path + "/approvals", by: key).status == 403)
    }

    @Test
    func `to guard more needs no approval, to guard less does, and one owner alone guards nothing`()
        async throws
    {
        let setting = try await Setting(guarding: [.exports])
        let (server, ada) = (setting.server, setting.ada)
        #expect(try await setting.put(["exports", "keys"], by: ada).status == 200)
        let less = try await setting.put(["exports"], by: ada)
        #expect(less.code == "approval_needed")
        let rules = try await server.get(setting.path + "/approval-rules", by: setting.ben)
        #expect(rules["areas"]?.count == 2 && rules["waiting"]?.int == 1)
        #expect(
            try await server.get(setting.path + "/approval-rules", by: ada)["waiting"]?.int == 0)
        try await setting.approve(less)
        #expect(try await setting.put(["exports"], by: ada)["areas"]?.count == 1)
        let alone = try await server.send(
            .put, "/api/businesses/\(server.business.id)/approval-rules",
            #"{"areas":["keys"]}"#, by: ada)
        #expect(alone.status == 422 && alone.text.contains("second person"))
        let wrong = try await setting.put(["approvals"], by: ada)
        #expect(wrong.status == 422)
    }

    @Test func `a reason is said by who asked, and an idempotent repeat is carried out once`()
        async throws
    {
        let setting = try await Setting(guarding: [.members])
        let (server, ada) = (setting.server, setting.ada)
        try await setting.requireSecondFactor()
        let repeated: HeaderFields = ["Idempotency-Key": "\"k1\""]
        func change() async throws -> Answer {
            try await server.send(
                .patch, setting.path, #"{"requiresSecondFactor":false}"#, by: ada,
                headers: repeated)
        }
        let refused = try await change()
        let id = try #require(refused["approval"]?["id"]?.string)
        let path = "\(setting.path)/approvals/\(id)"
        let reason = #"{"reason":"A new phone."}"#
        #expect(try await server.send(.patch, path, reason, by: setting.ben).status == 403)
        let explained = try await server.send(.patch, path, reason, by: ada)
        #expect(explained["reason"]?.string == "A new phone.")
        #expect(try await server.send(.patch, path, "{}", by: ada).status == 422)
        try await setting.approve(refused)
        #expect(try await change().status == 200)
        #expect(try await change().status == 200)
        #expect(try await server.get(path, by: ada)["state"]?.string == "used")
        #expect(try await server.send(.patch, path, reason, by: ada).code == "approval_ended")
    }
}
