import DeskAPI
import DeskBroker
import DeskMessages
import DeskModel
import DeskScript
import DeskStore
import DeskWeb

/// Does one script's steps in order, each when the one before has reached the provider.
struct ScriptRunner {
    let surroundings: ScriptSurroundings
    private let script: CustomerScript
    private let report: @Sendable (ScriptRun) -> Void
    var run: ScriptRun
    var people: [SimulatedPerson]

    /// - Parameter report: gets the run whenever a step begins or ends.
    init(
        _ surroundings: ScriptSurroundings, _ script: CustomerScript, _ people: [SimulatedPerson],
        report: @escaping @Sendable (ScriptRun) -> Void = { _ in }
    ) {
        self.surroundings = surroundings
        self.script = script
        self.people = people
        self.report = report
        run = ScriptRun(
            seed: script.seed, stepCount: script.steps.count, people: people,
            end: surroundings.time.now)
    }

    var services: Services { surroundings.services }
    var now: Timestamp { surroundings.time.now }

    /// Runs until the end, the first step that fails, or the caller's cancellation.
    mutating func runAll() async {
        let begin = services.time.instant()
        let longest = surroundings.time.longestRun
        for step in script.steps {
            do throws(Problem) {
                guard begin.duration(to: services.time.instant()) < longest else {
                    throw Problem(
                        .unavailable, "The script ran for \(TimeSpan.text(longest)) already.")
                }
                try await requireGoingOn()
                begins(step)
                try await take(step)
                ends(step)
            } catch {
                fail(step, error)
                break
            }
        }
        run.underWay = nil
        run.end = now
        run.people = people
        report(run)
    }

    private func requireGoingOn() async throws(Problem) {
        if services.disk.isFull {
            services.disk.noteRefused()
            throw .storageFull
        }
        guard await surroundings.isPlayedHere(), !Task.isCancelled else {
            throw Problem(.unavailable, surroundings.time.interruption)
        }
    }

    private mutating func begins(_ step: ScriptStep) {
        run.underWay = ScriptRun.UnderWay(step, name(step), surroundings.time)
        report(run)
    }

    private mutating func ends(_ step: ScriptStep) {
        run.doneCount += 1
        people[step.person].hasActed = true
        run.people = people
        run.underWay = nil
        report(run)
    }

    private mutating func fail(_ step: ScriptStep, _ problem: Problem) {
        // What a cancelled wait did not find is no finding.
        run.isInterrupted = Task.isCancelled
        let reason = run.isInterrupted ? surroundings.time.interruption : problem.detail
        run.failure = ScriptRun.Failure(line: step.line, reason: reason)
        note(step, "FAILED in line \(step.line): \(reason)")
    }

    /// Adds a line of what a customer did.
    mutating func note(_ step: ScriptStep, _ what: String) {
        run.note(now, name(step), what, line: step.line)
    }

    func name(_ step: ScriptStep) -> String { people[step.person].key.name }

    private mutating func take(_ step: ScriptStep) async throws(Problem) {
        switch step.action {
        case .says(let words):
            try await say(words, step)
            note(step, "says \(Quoted.text(words))")
        case .picks(let items):
            let (choice, card) = try await requireOffer(step, "to pick from") { message in
                CardOffer(message)?.choice(of: items)
            }
            try await choose(choice, card, step)
            note(step, "picks \(items.map(Quoted.text).joined(separator: ", "))")
        case .fills(let answers): try await fill(answers, step)
        case .pays(let status): try await pay(status, step)
        case .cancelsPayment:
            let card = try await requirePayment(step)
            try await choose(
                .payment(.canceled, status: nil, shippingMethod: nil), card, step)
            note(step, "cancels the payment")
        case .signsIn(let outcome, let name): try await signIn(outcome, name, step)
        case .attaches(let file, let text): try await attach(file, text, step)
        case .reacts(let reaction, let words): try await react(reaction, words, step)
        case .deletes:
            try await leave(step)
            note(step, "deletes the conversation")
        case .waits(let span):
            let isWhole = try await pass(span)
            let length = TimeSpan.text(span)
            note(step, isWhole ? "waited \(length)" : "was to wait \(length); that was skipped")
        case .goesSilent(let span):
            let isWhole = if let span { try await pass(span) } else { true }
            let length = span.map { " for \(TimeSpan.text($0))" } ?? ""
            note(step, "goes silent\(length)\(isWhole ? "" : "; that was skipped")")
        case .expects(let expectation, let patience):
            return try await expect(expectation, patience, step)
        }
        try await settle()
    }

    /// Lets time pass; what ends the run meanwhile ends the step too.
    private func pass(_ span: Duration) async throws(Problem) -> Bool {
        let isWhole = try await surroundings.pass(span)
        try await requireGoingOn()
        return isWhole
    }

    /// Waits until the provider has every event, and says so when it has not.
    private mutating func settle() async throws(Problem) {
        try await surroundings.settle()
        if let sentence = try await surroundings.deliveries().sentence(surroundings.time.isTried) {
            run.note(now, "\u{2014}", sentence, line: nil)
        }
    }

    private mutating func expect(
        _ expectation: ExpectedMessage, _ patience: Duration?, _ step: ScriptStep
    ) async throws(Problem) {
        let person = people[step.person]
        switch try await surroundings.expect(
            expectation, in: .conversation(person.conversation), after: person.seen,
            patience: patience ?? surroundings.time.patience)
        {
        case .success(let message):
            people[step.person].seen = message.position
            note(
                step,
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
        let sent = try await surroundings.sent(
            in: .conversation(person.conversation), after: .start)
        let wanted = ExpectedMessage(contained: words)
        let found = sent.last { message in
            wanted.reasons(against: ScriptSurroundings.candidate(message)).isEmpty
        }
        guard let found else {
            throw Problem(
                .notOffered,
                words.map { "The business sent nothing that holds \(Quoted.text($0))." }
                    ?? "The business sent nothing yet.")
        }
        let about = found.facts.kind == .text ? ScriptSurroundings.candidate(found).text : nil
        let text =
            switch reaction {
            case .word(let word): word.sentence(about: about, locale: person.locale)
            case .emoji(let emoji): Tapback.sentence(emoji, about: about)
            }
        try await say(text, step)
        note(step, "reacts: \(Quoted.text(text))")
    }

    private mutating func attach(
        _ name: String, _ text: String, _ step: ScriptStep
    ) async throws(Problem) {
        guard let conversation = try await findConversation(step) else {
            throw Problem(.notOffered, "Write first; then files can be sent.")
        }
        let blob: Blob
        do throws(StoreError) {
            blob = try await surroundings.files.blobs.store(Array(text.utf8))
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
        run.note(
            time, self.name(step), "attaches \(name) of \(blob.byteCount) bytes", line: step.line)
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
            services: services, business: surroundings.business, author: .script(name(step)),
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
        var runner = ScriptRunner(surroundings, script, try take(script))
        await runner.runAll()
        giveBack(runner.people)
        return runner.run
    }
}
