import DeskBroker
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Carries out the lines of one request, in order: each is judged by itself.
struct ImportRun {
    /// Lines that are stored in one commit.
    private static let atOnce = 100

    let services: Services
    let names: ImportNames
    let business: Business
    let importer: Author
    let isDryRun: Bool
    let now: Timestamp
    private let reading: ImportReading
    private var waiting: [(place: ImportReport.Place, step: ImportStep)] = []
    private(set) var report = ImportReport()
    /// What is known of the customers that lines named.
    var conversations: [CustomerID: ImportTarget] = [:]
    /// What lines of a dry run before would have added, by the kind, the customer and the name.
    var foreseen: Set<String> = []
    /// The labels of the business, by their keys.
    var labels: [[UInt8]: Label]
    private var members: [[UInt8]: AgentID]?
    private var handlers: Set<AgentID>?

    init(
        _ context: RequestContext, _ names: ImportNames, isDryRun: Bool
    ) async throws(Problem) {
        services = context.services
        self.names = names
        self.isDryRun = isDryRun
        now = services.time.now()
        importer = try context.requirePrincipal().author
        business = try await services.requireBusiness(names.business)
        reading = ImportReading(now: now, limits: services.limits)
        let known = try await services.asking { store throws(StoreError) in
            try await store.labels(of: names.business)
        }
        labels = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Imports a line, now or with those that follow.
    ///
    /// - Throws: what the store met; a line that cannot be imported is in the report.
    mutating func take(_ line: ArraySlice<UInt8>) async throws(Problem) {
        report.noteLine()
        var text = line.last == 0x0D ? line.dropLast() : line
        // The mark with which some programs begin a file of UTF-8.
        if report.lines == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard text.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
        var place = ImportReport.Place(line: report.lines)
        do throws(Problem) {
            let read = try reading.read(Array(text))
            place.kind = read.kind
            place.name = read.name
            try await carryOut(read, at: place)
        } catch {
            guard error.isOfLine else { throw error }
            if place.kind == nil { Self.describe(&place, by: text) }
            report.refuse(error, at: place)
        }
    }

    /// What a line says that it is, and which one, where nothing else could be read.
    private static func describe(_ place: inout ImportReport.Place, by line: ArraySlice<UInt8>) {
        guard let value = JSONValue.parsed(Array(line)),
            let kind = value["type"]?.string.flatMap({ ImportLine.Kind(rawValue: $0) })
        else { return }
        place.kind = kind
        place.name = value[kind.naming]?.string.map { Quoted.cut($0) }
    }

    private mutating func carryOut(
        _ line: ImportLine, at place: ImportReport.Place
    ) async throws(Problem) {
        switch line {
        case .label(let one):
            try await flush()
            report.note(try await importLabel(one), at: place)
        case .template(let one):
            try await flush()
            report.note(try await importTemplate(one), at: place)
        case .customer(let one): try await add(step(one), at: place)
        case .conversation(let one): try await add(step(one, at: place), at: place)
        case .message(let one): try await add(step(one, at: place), at: place)
        case .note(let one): try await add(step(one), at: place)
        }
    }

    private mutating func add(
        _ step: ImportStep, at place: ImportReport.Place
    ) async throws(Problem) {
        guard !isDryRun else {
            report.note(try await foresee(step), at: place)
            return
        }
        waiting.append((place, step))
        if waiting.count >= Self.atOnce { try await flush() }
    }

    /// Stores what waits: those of one kind that follow each other in one commit.
    mutating func flush() async throws(Problem) {
        var rest = waiting[...]
        waiting = []
        while let first = rest.first {
            let kind = first.place.kind
            let run = rest.prefix { $0.place.kind == kind }
            rest = rest.dropFirst(run.count)
            let outcomes = try await store(run.map(\.step))
            for (one, outcome) in zip(run, outcomes) {
                switch outcome {
                case .success(let outcome): report.note(outcome, at: one.place)
                case .failure(let refusal):
                    report.refuse(one.step.problem(refusal), at: one.place)
                }
            }
        }
    }

    mutating func warn(_ finding: RequestFinding, at place: ImportReport.Place) {
        report.warn(finding, at: place)
    }

    /// The member with an e-mail address to whom a conversation can be assigned; nil for others.
    mutating func handler(_ email: String) async throws(Problem) -> AgentID? {
        guard let agent = try await member(email) else { return nil }
        if handlers == nil {
            handlers = Set(try await services.handlers(of: names.business).map(\.id))
        }
        return handlers?.contains(agent) == true ? agent : nil
    }

    /// The member of the business with an e-mail address; nil for others.
    mutating func member(_ email: String) async throws(Problem) -> AgentID? {
        if members == nil {
            let id = names.business
            let agents = try await services.asking { store throws(StoreError) in
                try await store.agents(of: id)
            }
            members = Dictionary(
                agents.map { (Array($0.email.lowercased().utf8), $0.id) }
            ) { first, _ in first }
        }
        return members?[Array(email.lowercased().utf8)]
    }

    /// The conversation of a customer, whether it is there or will be made.
    mutating func target(_ foreign: String) async throws(Problem) -> ImportTarget {
        let customer = names.customer(foreign)
        if let known = conversations[customer] { return known }
        let id = names.business
        let found = try await services.asking { store throws(StoreError) in
            try await store.findConversation(of: customer, with: id)
        }
        let target = ImportTarget(
            customer: customer, conversation: found?.id ?? names.conversation(of: customer),
            contact: found?.contact, isThere: found != nil, last: found?.last?.time)
        conversations[customer] = target
        return target
    }
}

/// The conversation of a customer whom lines name.
struct ImportTarget {
    let customer: CustomerID
    let conversation: ConversationID
    /// The contact of a conversation that is there.
    let contact: ContactID?
    /// Whether the store had it before this request.
    let isThere: Bool
    /// When its newest message was said, those of a dry run included.
    var last: Timestamp?
}

extension Problem {
    /// Whether it is about one line; others are about the request, such as a store that cannot answer.
    fileprivate var isOfLine: Bool {
        switch code {
        case .unavailable, .outcomeUnknown, .storageFull, .damaged, .badRequest: false
        default: true
        }
    }
}
