import DeskBytes
import DeskCrypto
package import DeskHTTP
package import DeskModel

/// A password tried on the accounts of one address: on those that the device is known to, and on the
/// others, each under budgets of its own.
///
/// The owner of one of several accounts of an address is known to that account only: at the other
/// one it is an unknown caller, and a sign-in to its own clears nothing that it failed at the
/// other.
package struct AccountTry {
    private struct Part {
        let attempt: LoginAttempt
        /// The accounts that it may find; none where the address has no account.
        let accounts: Set<AgentID>
    }

    private let accounts: [Agent]
    private let logins: LoginGuard
    private var parts: [Part]
    /// Whether what `begin` drew was given back.
    private var isReleased = false

    /// Puts a try together.
    ///
    /// - Parameter device: the one that the request shows, and whom it is known to.
    package init(
        on email: String, _ accounts: [Agent], device: (token: Token, agents: [AgentID])?,
        from network: ClientNetwork, logins: LoginGuard
    ) {
        self.accounts = accounts
        self.logins = logins
        let all = Set(accounts.map(\.id))
        let known = all.intersection(device?.agents ?? [])
        let others = all.subtracting(known)
        parts = []
        func add(_ accounts: Set<AgentID>, _ device: Digest?) {
            let attempt = LoginAttempt(
                account: ByteString(email), device: device, network: network)
            parts.append(Part(attempt: attempt, accounts: accounts))
        }
        if let device, !known.isEmpty { add(known, device.token.digest) }
        if known.isEmpty || !others.isEmpty { add(others, nil) }
    }

    /// Leaves out the accounts that may not be tried now.
    ///
    /// - Throws: `rate_limited` when none is left; with `whole`, when any is left out.
    package mutating func admit(whole: Bool = false) throws(Problem) {
        let logins = logins
        try keep(whole, takes: false) { attempt throws(Problem) in try logins.admit(attempt) }
    }

    /// Draws from the budgets when the password is about to be checked, as `admit` says.
    package mutating func begin(whole: Bool = false) throws(Problem) {
        let logins = logins
        try keep(whole, takes: true) { attempt throws(Problem) in try logins.begin(attempt) }
    }

    /// The account of a match, when it is one of those that were tried.
    package func find(_ match: Int?) -> AgentID? {
        let found = match.map { accounts[$0].id }
        return parts.contains { part in found.map(part.accounts.contains) ?? false } ? found : nil
    }

    /// What was stored of an account's password when the try began.
    package func password(of account: AgentID) -> String? {
        accounts.first { $0.id == account }?.password
    }

    /// Gives back what `begin` drew, since the password was right: what is looked up next may last, and hundreds of people
    /// of one address sign in at once.
    package mutating func release() {
        guard !isReleased else { return }
        isReleased = true
        for part in parts { logins.giveBack(part.attempt) }
    }

    /// Notes that the password was right and nothing is decided: it was no wrong guess, and clears none.
    package mutating func leaveOpen() { release() }

    /// Notes that the password was right and the second factor wrong.
    package func noteWrongCode() {
        for part in parts {
            if isReleased { logins.draw(part.attempt) }
            logins.noteFailure(part.attempt)
        }
    }

    /// Notes how the try ended; the account, when it is one of those that were tried.
    package mutating func end(match: Int?) -> AgentID? {
        let found = match.map { accounts[$0].id }
        guard let found, let own = parts.first(where: { $0.accounts.contains(found) }) else {
            for part in parts { logins.noteFailure(part.attempt) }
            return nil
        }
        // Who knows one password of an address may be guessing another's: only what concerns the one
        // account alone is cleared.
        let isAlone = own.attempt.device == nil ? accounts.count == 1 : own.accounts.count == 1
        if isAlone { logins.clear(own.attempt) }
        release()
        return found
    }

    private mutating func keep(
        _ whole: Bool, takes: Bool, _ isAllowed: (LoginAttempt) throws(Problem) -> Void
    ) throws(Problem) {
        var kept: [Part] = []
        var refusal: Problem?
        for part in parts {
            do throws(Problem) {
                try isAllowed(part.attempt)
                kept.append(part)
            } catch {
                refusal = error
            }
        }
        if let refusal, whole || kept.isEmpty {
            for part in kept where takes { logins.giveBack(part.attempt) }
            throw refusal
        }
        parts = kept
    }
}
