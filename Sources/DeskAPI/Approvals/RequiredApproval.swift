import DeskBroker
import DeskCrypto
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

extension RoutedRequest where Services == DeskAPI.Services {
    /// Goes on where a business lets the caller do something without a second person, or one has approved it.
    ///
    /// A handler calls it when it has found nothing wrong with the request, and before it changes anything: what waits
    /// is a request that would be carried out. An approval is for one request of one caller: the same method, path,
    /// query and body.
    ///
    /// - Parameters:
    ///   - operation: what the request does.
    ///   - businesses: whose approval it needs; where there are several, of each.
    ///   - body: the body as it was sent.
    ///   - subjects: what else the request is about: with others it is another request.
    /// - Throws: `approval_needed` with the request that waits from now on, or did before.
    func requireApproval(
        of operation: GuardedOperation, in businesses: [BusinessID], body: [UInt8] = [],
        about subjects: [String] = []
    ) async throws(Problem) {
        let guarded = try await services.asking { store throws(StoreError) in
            var found: [BusinessID] = []
            for business in businesses {
                let rules = try await store.approvalRules(of: business)
                if rules?.guards(operation.area) == true { found.append(business) }
            }
            return found
        }
        guard !guarded.isEmpty else { return }
        let principal = try requirePrincipal()
        let author = principal.author
        let details = try Self.details(of: request, operation, body, subjects)
        let digest = Self.digest(of: request, body, subjects)
        let now = services.time.now()
        var asked: [Approval] = []
        for business in guarded {
            asked.append(
                Approval(
                    id: ApprovalID(services.broker.makeID()), business: business,
                    area: operation.area, operation: operation.rawValue, details: details,
                    digest: digest, author: author,
                    person: try await person(behind: principal, in: business), madeAt: now))
        }
        let requests = asked
        let use = try await services.asking { store throws(StoreError) in
            try await store.useApprovals(requests, repeats: operation.repeats)
        }
        switch use {
        case .granted:
            for business in guarded {
                services.broker.signal(.saved(.approval, in: business, by: author))
            }
            log.info("approval_used", ["operation": .text(operation.rawValue)])
        case .waiting(let approval, let isNew):
            if isNew {
                log.info(
                    "approval_asked",
                    [
                        "approval": .text(approval.id.text),
                        "operation": .text(operation.rawValue),
                    ])
                services.broker.signal(.saved(.approval, in: approval.business, by: author))
                await services.announce(approval)
            }
            throw .approvalNeeded(approval, services.authorNames)
        case .tooMany:
            throw Problem(
                .invalid,
                "So many requests wait for an approval that no further one may: \(Approval.mostOfPerson) of a person, "
                    + "\(Approval.mostOfKey) of a key, \(Approval.mostWaiting) of a business. Another owner decides on them in "
                    + "the console: Settings, Approvals.")
        }
    }

    /// The person who cannot approve a request: the agent, or who answers for the key.
    private func person(
        behind principal: Principal, in business: BusinessID
    ) async throws(Problem) -> AgentID? {
        switch principal {
        case .agent(let agent): return agent.agent.id
        case .key(let key):
            let found = try await services.asking { store throws(StoreError) in
                try await store.findKey(key.id)
            }
            return found?.grants.first { $0.business == business }?.maker
        case .sandbox, .customer: return nil
        }
    }

    /// Names a request; `from`, by which long erasures go on, leads on in the same one.
    ///
    /// The order of the query's parameters does not matter, and HEAD is GET.
    private static func digest(
        of request: Request, _ body: [UInt8], _ subjects: [String]
    ) -> Digest {
        var bytes: [UInt8] = []
        func append(_ text: String) {
            let utf8 = Array(text.utf8)
            bytes += Array("\(utf8.count):".utf8) + utf8
        }
        append(request.method == .head ? Method.get.token : request.method.token)
        for segment in request.path.segments { append(segment) }
        append("?")
        let items = request.query.items.filter { $0.name != "from" }
        for item in items.sorted(by: { ($0.name, $0.value) < ($1.name, $1.value) }) {
            append(item.name)
            append(item.value)
        }
        append("#")
        for subject in subjects.sorted() { append(subject) }
        return .sha256(bytes + [0] + body)
    }

    /// The parts of paths that say what a request is about.
    private static var namesOfPath: [String] {
        ["conversation", "message", "contact", "agent", "key", "webhook", "table"]
    }

    /// What a second person is shown: parts of the path, the query, and of the body what `shown` names.
    private static func details(
        of request: Request, _ operation: GuardedOperation, _ body: [UInt8],
        _ subjects: [String]
    ) throws(Problem) -> [UInt8] {
        let bytes = JSONWriter.object { text in
            for name in Self.namesOfPath {
                guard let value = request.parameters[name] else { continue }
                text.key(text: name)
                text.string(value)
            }
            for item in request.query.items where item.name != "from" {
                text.key(text: item.name)
                text.string(item.value)
            }
            if subjects.count > 1 { text.member("merged", subjects.count - 1) }
            guard let root = try? JSONDocument(parsing: body).root else { return }
            for name in operation.shown {
                let value = root[name].flatMap { $0.isNull ? nil : $0 }
                let otherwise = operation.defaults.first { $0.name == name }?.json
                guard
                    let json = value.map({ Array($0.rawBytes) })
                        ?? otherwise.map({ Array($0.utf8) })
                else { continue }
                text.key(text: name)
                text.raw(json)
            }
            let others = root.members.map(\.key).filter { !operation.shown.contains($0) }
            guard !others.isEmpty else { return }
            text.member("others") { text in
                text.array { text in for name in others { text.string(name) } }
            }
        }
        guard bytes.count <= Approval.detailBytes else {
            throw Problem(
                .invalid,
                "What a second person would have to look at is longer than \(Approval.detailBytes) bytes. "
                    + "Ask for less in one request.")
        }
        return bytes
    }
}

extension Problem {
    /// Refuses what a second person has to approve first.
    fileprivate static func approvalNeeded(_ approval: Approval, _ names: AuthorNames) -> Problem {
        var problem = Problem(
            .approvalNeeded,
            "Another owner has to approve this first. It waits for that until \(approval.expiresAt.text); send the "
                + "same request again when it is approved.")
        var text = JSONWriter()
        text.approval(approval, names)
        problem.approval = text.bytes
        return problem
    }
}
