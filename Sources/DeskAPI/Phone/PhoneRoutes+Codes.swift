import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

extension PhoneRoutes {
    /// Adds the routes that look join codes up; a lookup uses nothing up.
    func addCodes(to table: inout RouteTable) {
        table.add(
            .get, "/api/phone/codes/{code}", operation: "findPhoneCode", permission: .open,
            rate: .write
        ) { context throws(Problem) in
            guard let text = context.request.parameters["code"], text.utf8.count <= 64 else {
                throw .notFound
            }
            guard let code = try await Self.findCode(text, context) else { throw .deadCode }
            let business = try await context.services.asking { store throws(StoreError) in
                try await store.findBusiness(code.business)
            }
            guard let business else { throw .deadCode }
            return .json(
                JSONWriter.object { json in
                    json.member("code", text)
                    json.member("business") { $0.phoneBusiness(business) }
                    json.member("expires", code.expiresAt)
                })
        }
        table.add(
            .post, "/api/phone/codes", operation: "typePhoneCode", permission: .open,
            bodyLimit: 1_024, rate: .write, repeating: .refused, goesOnWhenFull: true
        ) { context throws(Problem) in try await exchange(context) }
    }

    /// The code of a link that has not expired.
    static func findCode(_ text: String, _ context: RequestContext) async throws(Problem)
        -> JoinCode?
    {
        let now = context.services.time.latest()
        return try await context.services.asking { store throws(StoreError) in
            try await store.findJoinCode(link: JoinCodeText.linkDigest(of: text), at: now)
        }
    }

    /// Answers a typed code with the code of its link.
    private func exchange(_ context: RequestContext) async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let typed = fields.requireText("typed", bytes: 1...64)
        try fields.finish()
        guard let read = typed.flatMap(JoinCodeText.read) else { throw .deadCode }
        let now = context.services.time.latest()
        let code = try await context.services.asking { store throws(StoreError) in
            try await store.typeJoinCode(
                locator: read.locator,
                typed: JoinCodeText.proofDigest(of: read.proof, key: codeKey), at: now)
        }
        guard let code else { throw .deadCode }
        let text = JoinCodeText(id: code.id, key: codeKey)
        // A code of another key is known by its digest alone; its link still works.
        guard text.linkDigest == code.link else { throw .deadCode }
        return .json(
            JSONWriter.object { json in
                json.member("code", text.link)
                json.member("url", "\(context.services.publicURL.origin)/j/\(text.link)")
            })
    }
}

extension Problem {
    static let deadCode = Problem(
        .notFound,
        "This code is unknown, too old or used up; the page that showed it has a new one.")
}
