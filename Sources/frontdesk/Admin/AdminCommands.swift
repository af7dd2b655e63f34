import DeskAPI
import DeskBroker
import DeskCommandLine
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb

/// The administrative commands, the same inside a running server and on a store of their own.
struct AdminCommands: Sendable {
    /// The outcome of a command.
    struct Result: Sendable, Equatable {
        let code: UInt8
        let text: String

        static func done(_ text: String) -> Result { Result(code: 0, text: text) }
        static func failed(_ text: String) -> Result { Result(code: 1, text: text) }
        /// From a server that works on another database than the command names: it did nothing.
        static let elsewhere = Result(code: 255, text: "")
    }

    private static let linkHours = 24

    let store: any Store & Maintenance
    let time: TimeSource
    /// The address of the database that the running server works on; nil when it works on a directory, or none
    /// runs.
    let database: String?
    /// How the running server is reached; nil when none runs.
    let publicURL: String?
    /// Where the running server listens, as HOST:PORT; nil when none runs.
    let listening: String?
    /// The links as the running server has them.
    let links: LoadedLinks
    /// The link of the running server's sandbox as of now, and how long it works; nil without either.
    let sandboxLink: @Sendable () -> (link: String, life: String)?
    /// What changes conversations and rules, so that the running server's pages follow.
    let broker: Broker
    /// Why readers of the log could not go on, as far as the running server knows.
    let readerFailures: @Sendable () -> [ReaderRunner.Failure]
    /// The log of the running server; nil when none runs.
    let log: Log?
    /// So much of the disk of the data is left free.
    let freeBytes: Int64

    /// Commands on a store; without the server's loaded links they load their own.
    init(
        store: any Store & Maintenance, time: TimeSource, database: String? = nil,
        publicURL: String? = nil, listening: String? = nil,
        links: LoadedLinks? = nil, broker: Broker? = nil, log: Log? = nil,
        freeBytes: Int64 = Int64(WebLimits().diskHardBytes),
        sandboxLink: @escaping @Sendable () -> (link: String, life: String)? = { nil },
        readerFailures: @escaping @Sendable () -> [ReaderRunner.Failure] = { [] }
    ) {
        self.broker = broker ?? Broker(store: store, now: time.now)
        self.readerFailures = readerFailures
        self.log = log
        self.freeBytes = freeBytes
        self.sandboxLink = sandboxLink
        self.store = store
        self.time = time
        self.database = database
        self.publicURL = publicURL
        self.listening = listening
        self.links = links ?? LoadedLinks(store: store)
    }

    /// Runs one command, whatever its words are.
    func run(_ command: String, _ parsed: Parsed) async -> Result {
        do {
            switch command {
            // For a check of the configuration beside the server; the command itself runs no other.
            case Catalogue.serve.name:
                return listening.map { Result.done($0) } ?? .failed("no server runs on this data")
            case Catalogue.keyCreate.name: return try await createKey(parsed)
            case Catalogue.keyList.name: return try await listKeys()
            case Catalogue.keyRevoke.name: return try await revokeKey(parsed)
            case Catalogue.ownerLink.name: return try await makeOwnerLink(parsed)
            case Catalogue.sandboxLink.name: return makeSandboxLink()
            case Catalogue.logLevel.name: return changeLogLevel(parsed)
            case Catalogue.backup.name: return try await backUp(parsed)
            case Catalogue.epochBegin.name: return try await beginEpoch()
            case Catalogue.gatewayRegister.name: return try await registerProvider(parsed)
            case Catalogue.gatewayConnect.name: return try await connectUpstream(parsed)
            case Catalogue.gatewayWhatsApp.name: return try await connectWhatsApp(parsed)
            case Catalogue.gatewayList.name: return try await listLinks()
            case Catalogue.gatewayRemove.name: return try await removeLink(parsed)
            case Catalogue.secretsList.name: return try await listSecrets()
            case Catalogue.readerList.name: return try await listReaders()
            case Catalogue.readerReplay.name: return try await replayReader(parsed)
            case Catalogue.ruleList.name: return try await listRules(parsed)
            case Catalogue.ruleStop.name: return try await switchRule(parsed, isOn: false)
            case Catalogue.ruleStart.name: return try await switchRule(parsed, isOn: true)
            case Catalogue.report.name: return try await printReport(parsed)
            case Catalogue.transcript.name: return try await printTranscript(parsed)
            case Catalogue.customerBlock.name:
                return try await blockCustomer(parsed, isBlocked: true)
            case Catalogue.customerUnblock.name:
                return try await blockCustomer(parsed, isBlocked: false)
            case Catalogue.audit.name: return try await printAudit(parsed)
            case Catalogue.memberList.name: return try await listMembers(parsed)
            case Catalogue.secondFactorRemove.name: return try await removeSecondFactor(parsed)
            case Catalogue.approvalsOff.name: return try await switchApprovalsOff(parsed)
            default: return .failed("\"\(command)\" is no administrative command")
            }
        } catch {
            if error.code == .refused { return .failed(StoreFailure.words(error)) }
            return .failed("the store could not do it: \(StoreFailure.sentence(error))")
        }
    }

    // MARK: Owners

    private func makeOwnerLink(_ parsed: Parsed) async throws(StoreError) -> Result {
        let known = try await findOrigin()
        let origin = parsed["public-url"] ?? known
        guard let url = PublicURL(origin) else {
            return .failed("--public-url is http:// or https://, a host and perhaps a port")
        }
        var owners: [Agent] = []
        for agent in try await store.agents(of: nil) {
            let roles = try await store.memberships(of: agent.id)
            if roles.contains(where: { $0.role == .owner }) { owners.append(agent) }
        }
        if owners.isEmpty {
            try await store.endSessions(of: .setup, author: .command)
            let token = try await begin(.setup)
            return .done(
                "\(url.origin)/console#setup=\(token)\n\nMakes the first owner; works once, "
                    + "for \(Self.linkHours) hours.")
        }
        let word = parsed["email"]
        let found = owners.filter { owner in
            word.map {
                owner.email.utf8.elementsEqual($0.utf8) || owner.id.text.utf8.elementsEqual($0.utf8)
            } ?? true
        }
        guard found.count == 1, let owner = found.first else {
            let known = owners.map { "  \($0.id.text)  \($0.email)" }.joined(separator: "\n")
            return .failed(
                "--email says whose link it is, by address or id; the owners are:\n\(known)")
        }
        let token = try await begin(.newPassword(owner.id))
        return .done(
            "\(url.origin)/console#invite=\(token)\n\nLets \(owner.email) set a new password; "
                + "works once, for \(Self.linkHours) hours.")
    }

    /// Its key is in no file: only the running server knows it.
    private func makeSandboxLink() -> Result {
        guard publicURL != nil else {
            return .failed("no server runs on this data; its sandbox has a new link at each start")
        }
        guard let (link, life) = sandboxLink() else {
            return .failed("this server has no sandbox; start it with --sandbox")
        }
        return .done("\(link)\n\nOpens the sandbox; works \(life).")
    }

    private func begin(_ subject: SessionSubject) async throws(StoreError) -> String {
        let token = Token.make()
        let now = time.latest()
        try await store.add(
            Session(
                token: token.digest, subject: subject, createdAt: now,
                expiresAt: now.advanced(by: .seconds(Self.linkHours * 3_600))), author: .command)
        return token.text
    }

    // MARK: Businesses

    /// Why a command cannot go on.
    struct Failed: Error {
        let result: Result
    }

    /// The one business of a name or an id.
    static func find(
        _ word: String, in businesses: [Business]
    ) -> Swift.Result<Business, Failed> {
        let id = BusinessID(word)
        let found = businesses.filter { business in
            id.map { business.id == $0 } ?? business.name.utf8.elementsEqual(word.utf8)
        }
        if found.count == 1, let business = found.first { return .success(business) }
        let reason = found.isEmpty ? "no business is called" : "several are called"
        return .failure(
            Failed(result: .failed("\(reason) \"\(word)\"; there are:\n\(list(businesses))")))
    }

    /// The businesses, a line each.
    static func list(_ businesses: [Business]) -> String {
        businesses.map { "  \($0.id.text)  \($0.mode.rawValue)  \($0.name)" }
            .joined(separator: "\n")
    }

    /// How the server is reached: as it runs now, or as it ran last.
    func findOrigin() async throws(StoreError) -> String {
        if let publicURL { return publicURL }
        let remembered = try await store.findSetting(NodePlace.setting)
        return remembered.map { String(decoding: $0, as: UTF8.self) } ?? "http://127.0.0.1:8080"
    }
}
