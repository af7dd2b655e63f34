import DeskBytes
package import DeskLog
package import DeskMail
import DeskMessages
package import DeskModel
import DeskStore
import DeskWeb
import Synchronization

/// Sends the server's own e-mails: invitations, links to new passwords.
///
/// What no request waits for is sent one after the other, and tried up to three times. An e-mail that was not sent when the
/// server ends is forgotten: its person asks again.
package final class Mailer: Sendable {
    /// E-mails of one kind to an address in an hour: who asks for links keeps no word of a new password back.
    static let mostToAddress = 5
    /// Links to new passwords that an address or network asks for in an hour.
    static let mostAskedByNetwork = 20
    /// E-mails that wait; one more is not sent.
    static let mostWaiting = 100
    /// E-mails at once for which a request waits; one more is not sent.
    static let mostAtOnce = 8
    /// The longest that a request waits for one.
    static let longestWait = Duration.seconds(25)
    /// How long it is waited before each further try.
    private static let waits: [Duration] = [.seconds(5), .seconds(30)]

    /// What became of an e-mail that a request waits for.
    enum Outcome: String {
        /// The mail server has accepted it.
        case sent
        /// It has not; the log says why.
        case failed
        /// The address had too many of this kind in this hour.
        case limited
    }

    /// An e-mail that waits.
    private struct Waiting {
        let kind: String
        let address: String
        let language: Language
        /// Whether it is to be sent, found out when it is its turn; only then it counts for its address.
        let isWanted: @Sendable () async -> Bool
        let write: @Sendable () async -> MailText?
    }

    private struct State {
        var waiting: [Waiting] = []
        var isSending = false
        var atOnce = 0
    }

    private let transport: any MailTransport
    private let from: Mailbox
    private let makeID: @Sendable () -> UniqueID
    private let time: TimeSource
    private let log: Log
    private let sent, failed: Counter
    private let toAddress, askedByNetwork: any RateCounter
    private let state = Mutex(State())

    /// A mailer.
    ///
    /// - Parameter from: whom all e-mails are from.
    package init(
        _ transport: any MailTransport, from: Mailbox, makeID: @escaping @Sendable () -> UniqueID,
        time: TimeSource, log: Log, metrics: Metrics, counters: any CounterSource
    ) {
        self.transport = transport
        self.from = from
        self.makeID = makeID
        self.time = time
        self.log = log
        let help = "E-mails that were to be sent, by what became of them."
        sent = metrics.counter("frontdesk_mails_total", help: help, labels: ["result": "sent"])
        failed = metrics.counter("frontdesk_mails_total", help: help, labels: ["result": "failed"])
        func hourly(_ name: String, _ most: Int) -> any RateCounter {
            counters.rate(name, Rate(perSecond: Double(most) / 3_600, burst: Double(most)))
        }
        toAddress = hourly("mails to address", Self.mostToAddress)
        askedByNetwork = hourly("mails asked for", Self.mostAskedByNetwork)
    }

    /// Sends one while its request waits, once.
    func send(
        _ text: MailText, _ kind: String, to address: String, in language: Language
    ) async -> Outcome {
        guard mayStart() else {
            giveUp(kind, "too many wait for the mail server")
            return .failed
        }
        defer { state.withLock { $0.atOnce -= 1 } }
        guard let mail = mail(text, kind, to: address, in: language) else { return .failed }
        guard admits(kind, to: address) else { return .limited }
        return await fault(of: mail, kind, isLast: true) == nil ? .sent : .failed
    }

    /// Sends one later; what is to be found out for it is found out then, so that the caller does not wait for that either.
    func sendLater(
        _ kind: String, to address: String, in language: Language,
        if isWanted: @escaping @Sendable () async -> Bool = { true },
        _ write: @escaping @Sendable () async -> MailText?
    ) {
        let one = Waiting(
            kind: kind, address: address, language: language, isWanted: isWanted, write: write)
        let (isNew, isFull) = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return (false, true) }
            state.waiting.append(one)
            defer { state.isSending = true }
            return (!state.isSending, false)
        }
        if isFull { giveUp(kind, "too many wait") }
        // Ends by itself when nothing waits any more.
        if isNew { Task { await sendAll() } }
    }

    /// Counts that a network asks for a link; how long it has to wait when it may not.
    func admitAsking(from network: CounterSubject) -> Duration? {
        let answer = askedByNetwork.take(1, by: network, at: time.instant())
        return answer.isAllowed ? nil : max(answer.retryAfter, .seconds(1))
    }

    private func sendAll() async {
        while let one = next() {
            guard await one.isWanted(), admits(one.kind, to: one.address),
                let text = await one.write(),
                let mail = mail(text, one.kind, to: one.address, in: one.language)
            else { continue }
            for attempt in 0...Self.waits.count {
                let fault = await fault(of: mail, one.kind, isLast: attempt == Self.waits.count)
                guard let fault, fault.isPassing, attempt < Self.waits.count else { break }
                // Safe: sleeping fails only when cancelled, and then the server ends.
                try? await time.sleep(Self.waits[attempt])
            }
        }
    }

    private func next() -> Waiting? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isSending = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func mayStart() -> Bool {
        state.withLock { state in
            guard state.atOnce < Self.mostAtOnce else { return false }
            state.atOnce += 1
            return true
        }
    }

    private func admits(_ kind: String, to address: String) -> Bool {
        let subject = CounterSubject(sort: 1, .sha256(Array("\(kind) \(address)".utf8)))
        let isAllowed = toAddress.take(1, by: subject, at: time.instant()).isAllowed
        if !isAllowed {
            giveUp(kind, "the address had \(Self.mostToAddress) of this kind in an hour")
        }
        return isAllowed
    }

    /// Records that one is not sent, without a word of whom it is for.
    private func giveUp(_ kind: String, _ detail: String) {
        failed.add()
        log.warning("mail_failed", ["kind": .text(kind), "detail": .text(detail)])
    }

    private func mail(
        _ text: MailText, _ kind: String, to address: String, in language: Language
    ) -> Mail? {
        guard let to = Mailbox(address: address) else {
            giveUp(kind, "the address is not of ASCII alone")
            return nil
        }
        return Mail(
            from: from, to: to, subject: text.subject, text: text.text, language: language.rawValue)
    }

    /// Hands one over; nil when it was accepted.
    private func fault(of mail: Mail, _ kind: String, isLast: Bool) async -> MailFault? {
        do throws(MailFault) {
            try await transport.send(
                mail.bytes(id: makeID(), at: time.now()), from: mail.from, to: mail.to)
            sent.add()
            log.info("mail_sent", ["kind": .text(kind)])
            return nil
        } catch {
            if isLast || !error.isPassing { giveUp(kind, error.detail) }
            return error
        }
    }
}
