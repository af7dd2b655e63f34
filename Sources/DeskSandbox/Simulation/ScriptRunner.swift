import DeskAPI
import DeskBroker
import DeskMessages
import DeskModel
import DeskScript
import DeskStore
import DeskWeb

/// Does one script's steps in order, each when the one before has reached the provider.
struct ScriptRunner {
    let simulation: Simulation
    private let script: CustomerScript
    var run: ScriptRun
    var people: [SimulatedPerson]

    init(_ simulation: Simulation, _ script: CustomerScript, _ people: [SimulatedPerson]) {
        self.simulation = simulation
        self.script = script
        self.people = people
        run = ScriptRun(seed: script.seed, end: simulation.clock.now)
    }

    var services: Services { simulation.services }
    var now: Timestamp { simulation.clock.now }

    /// Runs until the end, the first step that fails, or the caller's cancellation.
    mutating func runAll() async {
        let begin = services.time.instant()
        for step in script.steps {
            do throws(Problem) {
                guard begin.duration(to: services.time.instant()) < Simulation.longestRun else {
                    throw Problem(
                        .unavailable,
                        "The script ran for \(TimeSpan.text(Simulation.longestRun)) already.")
                }
                guard !Task.isCancelled else {
                    throw Problem(.unavailable, "The gateway ends, or nobody waits for the script.")
                }
                try await take(step)
            } catch {
                fail(step, error)
                break
            }
        }
        run.end = now
        run.people = people
    }

    private mutating func fail(_ step: ScriptStep, _ problem: Problem) {
        run.failure = ScriptRun.Failure(line: step.line, reason: problem.detail)
        run.note(now, name(step), "FAILED in line \(step.line): \(problem.detail)")
    }

    func name(_ step: ScriptStep) -> String { people[step.person].key.name }

    private mutating func take(_ step: ScriptStep) async throws(Problem) {
        switch step.action {
        case .says(let words):
            try await say(words, step)
            run.note(now, name(step), "says \(Quoted.text(words))")
        case .picks(let items):
            let (choice, card) = try await requireOffer(step, "to pick from") { message in
                CardOffer(message)?.choice(of: items)
            }
            try await choose(choice, card, step)
            run.note(now, name(step), "picks \(items.map(Quoted.text).joined(separator: ", "))")
        case .fills(let answers): try await fill(answers, step)
        case .pays(let status): try await pay(status, step)
        case .cancelsPayment:
            let card = try await requirePayment(step)
            try await choose(
                .payment(.canceled, status: nil, shippingMethod: nil), card, step)
            run.note(now, name(step), "cancels the payment")
        case .signsIn(let outcome, let name): try await signIn(outcome, name, step)
        case .attaches(let file, let text): try await attach(file, text, step)
        case .reacts(let reaction, let words): try await react(reaction, words, step)
        case .deletes:
            try await leave(step)
            run.note(now, name(step), "deletes the conversation")
        case .waits(let span):
            try await simulation.advance(by: span)
            run.note(now, name(step), "waited \(TimeSpan.text(span))")
        case .goesSilent(let span):
            if let span { try await simulation.advance(by: span) }
            let length = span.map { " for \(TimeSpan.text($0))" } ?? ""
            run.note(now, name(step), "goes silent\(length)")
        case .expects(let expectation, let patience):
            return try await expect(expectation, patience, step)
        }
        try await settle()
    }

    /// Waits until the provider has every event, and says so when it has not.
    private mutating func settle() async throws(Problem) {
        try await simulation.settle()
        if let sentence = try await simulation.deliveries().sentence(now: now) {
            run.note(now, "\u{2014}", sentence)
        }
    }

    private mutating func expect(
        _ expectation: ExpectedMessage, _ patience: Duration, _ step: ScriptStep
    ) async throws(Problem) {
        let person = people[step.person]
        switch try await simulation.expect(
            expectation, in: .conversation(person.conversation), after: person.seen,
            patience: patience)
        {
        case .success(let message):
            people[step.person].seen = message.position
            run.note(
                now, name(step),
                "receives \(message.facts.kind.rawValue) \(Quoted.text(message.facts.summary))")
        case .failure(let unmet): throw Problem(.notOffered, unmet.sentence)
        }
    }

    // MARK: Words

    private mutating func say(_ words: String, _ step: ScriptStep) async throws(Problem) {
        let posted = makeText(words, step)
        let person = people[step.person]
        guard let conversation = try await findConversation(step) else {
            _ = try await end(step).begin(
                posted, as: Customer(id: person.customer, name: person.key.name),
                person.conversation, session: nil, code: nil)
            return
        }
        _ = try await end(step).say(posted, in: conversation)
    }

    private mutating func react(
        _ reaction: ScriptStep.Reaction, _ words: String?, _ step: ScriptStep
    ) async throws(Problem) {
        let person = people[step.person]
        let sent = try await simulation.sent(
            in: .conversation(person.conversation), after: .start)
        let wanted = ExpectedMessage(contained: words)
        let found = sent.last { message in
            wanted.reasons(against: Simulation.candidate(message)).isEmpty
        }
        guard let found else {
            throw Problem(
                .notOffered,
                words.map { "The business sent nothing that holds \(Quoted.text($0))." }
                    ?? "The business sent nothing yet.")
        }
        let about = found.facts.kind == .text ? Simulation.candidate(found).text : nil
        let text =
            switch reaction {
            case .word(let word): word.sentence(about: about, locale: person.locale)
            case .emoji(let emoji): Tapback.sentence(emoji, about: about)
            }
        try await say(text, step)
        run.note(now, name(step), "reacts: \(Quoted.text(text))")
    }

    private mutating func attach(
        _ name: String, _ text: String, _ step: ScriptStep
    ) async throws(Problem) {
        guard let conversation = try await findConversation(step) else {
            throw Problem(.notOffered, "Write first; then files can be sent.")
        }
        let blob: Blob
        do throws(StoreError) {
            blob = try await simulation.files.blobs.store(Array(text.utf8))
        } catch {
            throw services.problem(error)
        }
        let use = AttachmentUse(
            id: blob.id, name: name, mediaType: "text/plain", byteCount: blob.byteCount)
        let time = now
        try await services.asking { store throws(StoreError) in
            try await store.hold(
                use, by: .conversation(conversation.id), at: time, author: .customer(device: ""))
        }
        _ = try await end(step).say(
            makeText("\u{FFFC}", step), in: conversation, attachments: [use],
            dictionaries: [AttachmentText.dictionary(use, .inbound, services.publicURL)])
        run.note(time, self.name(step), "attaches \(name) of \(blob.byteCount) bytes")
    }

    private mutating func makeText(_ words: String, _ step: ScriptStep) -> PostedText {
        let person = people[step.person]
        return PostedText(
            id: people[step.person].makeMessageID(at: now), text: words, locale: person.locale,
            entry: person.entry)
    }

    // MARK: Parts

    private mutating func leave(_ step: ScriptStep) async throws(Problem) {
        guard let conversation = try await findConversation(step) else {
            throw Problem(.notOffered, "There is no conversation yet that could be deleted.")
        }
        let author = end(step).author
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(conversation.id, .leave, by: author)
        }
    }

    func end(_ step: ScriptStep) -> CustomerSide {
        CustomerSide(
            services: services, business: simulation.business, author: .script(name(step)),
            origin: .script)
    }

    func findConversation(_ step: ScriptStep) async throws(Problem) -> Conversation? {
        let id = people[step.person].conversation
        return try await services.asking { store throws(StoreError) in
            try await store.findConversation(id)
        }
    }
}

extension Simulation {
    /// Runs a script to its end.
    ///
    /// Limit: `longestRun`, in real time. Cancel: after the step that runs.
    func run(_ script: CustomerScript) async throws(Problem) -> ScriptRun {
        var runner = ScriptRunner(self, script, try take(script))
        await runner.runAll()
        giveBack(runner.people)
        return runner.run
    }
}
