import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Foundation
import TestSupport
import Testing

@testable import DeskAPI

/// What the request pipeline hands to handlers, so that no handler finds it out again.
struct RequestPipelineTests {
    /// Queries and bodies with which a route's handler comes to its conversation; `%` is its id.
    private static let requests: [String: (query: String, body: String)] = [
        "sendMessage": ("", #"{"type":"text","body":"x"}"#),
        "sendTemplate": ("", #"{"template":"t","values":{}}"#),
        "changeConversation": ("", #"{"state":"pending"}"#),
        "markRead": ("", #"{"sequence":1}"#),
        "signalTyping": ("", #"{"state":"start"}"#),
        "addNote": ("", #"{"text":"x"}"#),
        "sendBatch": (
            "", #"{"messages":[{"conversation":"%","payload":{"type":"text","body":"x"}}]}"#
        ),
        "validate": ("?conversation=%", #"{"type":"text","body":"x"}"#),
        "uploadAttachment": ("?conversation=%&name=a.txt", "x"),
        "getAttachment": ("?conversation=%", ""),
        "answerInvitation": ("", #"{"message":"m","answer":"accept"}"#),
        "sendPhoneMessage": (
            "", #"{"id":"0b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111","text":"x","locale":"en_US"}"#
        ),
        "signalPhoneTyping": ("", #"{"state":"start"}"#),
        "mutePhone": ("", #"{"muted":true}"#),
        "uploadPhoneAttachment": ("?name=a.txt", "x"),
    ]

    @Test func `no request looks its conversation up twice`() async throws {
        let rows = try await TestServer().api.table.rows
        var looked = 0
        for row in rows where row.permission != .open {
            let views = CountedConversations()
            let server = try await TestServer(conversations: views)
            let owner = try await server.makeOwner()
            let (phone, conversation) = try await server.makePhone()
            let (query, body) = Self.requests[row.operation] ?? ("", row.bodyLimit > 0 ? "{}" : "")
            let isUpload = row.operation.hasPrefix("upload")
            var caller = row.business == .session ? phone : owner
            var headers: HeaderFields = isUpload ? ["Content-Type": "text/plain"] : [:]
            // A widget has a cookie of its own.
            if row.pattern.hasPrefix("/api/widget/"), case .customer(let token) = phone {
                caller = .anonymous
                headers.append("Cookie", "fdw=\(token)")
            }
            _ = views.take()
            _ = try await server.send(
                row.method,
                server.path(of: row, conversation) + query.replacing("%", with: conversation.text),
                body.replacing("%", with: conversation.text),
                by: caller, headers: headers)
            let lookups = views.take()
            let isAboutOne =
                row.business == .conversation || row.business == .session
                || Self.requests[row.operation] != nil
            #expect(lookups == (isAboutOne ? 1 : 0), "\(row.operation)")
            looked += lookups
        }
        #expect(looked > 25)
    }

    /// Routes of a phone that answer with the head, from which the phone follows.
    @Test(arguments: ["", "/messages"])
    func `the head is read before the conversation, so that a follower misses no event`(
        path: String
    ) async throws {
        let views = CountedConversations()
        let server = try await TestServer(conversations: views)
        let (phone, conversation) = try await server.makePhone()
        let key = try await server.makeKey([server.business])
        let broker = server.services.broker
        let before = broker.head
        views.afterNext {
            let sent = try? await server.post(
                "/api/conversations/\(conversation)/messages", #"{"type":"text","body":"x"}"#,
                by: key)
            #expect(sent?.status == 201)
        }
        let answer = try await server.get("/api/phone/\(server.business.id)\(path)", by: phone)
        #expect(broker.head != before)
        let head = path.isEmpty ? answer["conversation"]?["head"] : answer["head"]
        #expect(head?.string == before.text)
    }

    @Test func `a list shows the one business that the query names`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let all = try await server.get("/api/businesses", by: owner)
        #expect(all["data"]?.count == 2)
        let one = try await server.get("/api/businesses?business=\(server.other.id)", by: owner)
        #expect(one["data"]?.count == 1)
        #expect(one["data"]?[0]?["id"]?.string == server.other.id.text)
    }

    /// Spellings by which code finds out again what the pipeline has found out.
    private static var forbidden: [Regex<Substring>] {
        [
            #/query\s*\[\s*"business"\s*\]/#, #/store\s*\.\s*findConversation\(\s*(?!of:)/#,
            #/parameters\s*\[\s*"conversation"\s*\]/#,
        ]
    }

    @Test func `only the authorizer reads the business of a query and the conversation of a path`()
        throws
    {
        var found: [String: Int] = [:]
        var read = 0
        for module in ["DeskAPI", "DeskSandbox"] {
            let folder = TestFiles.root + "/Sources/" + module
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
            where path.hasSuffix(".swift") && !path.hasPrefix("Simulation/") {
                let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
                let count = Self.forbidden.reduce(0) { $0 + text.matches(of: $1).count }
                if count > 0 { found[module + "/" + path] = count }
                read += 1
            }
        }
        #expect(read > 100)
        // The check finds what it looks for where it belongs.
        // A contact's conversations, and those that are on hold, are found by ids of which the path names none.
        #expect(
            found == [
                "DeskAPI/Access/RequestAuthorizer.swift": 2,
                "DeskAPI/Contacts/ContactLinkRoutes.swift": 1,
                "DeskAPI/Contacts/ContactRoutes.swift": 1,
                "DeskAPI/Exports/ExportRun.swift": 1,
                "DeskAPI/Holds/LegalHoldRoutes.swift": 1,
            ])
    }
}
