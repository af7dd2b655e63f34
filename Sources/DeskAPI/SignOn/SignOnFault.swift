/// Why a provider could not answer for a person.
struct SignOnFault: Error, Sendable {
    /// Whether trying again soon may help: it was not reached, or answered with a failure of its own.
    let isPassing: Bool
    /// What was asked: `discovery`, `keys`, `token` or `id_token`.
    let step: String
    /// What happened, in a word for the log; nothing of an answer but a code.
    let detail: String

    static func unreachable(_ step: String, _ detail: String) -> SignOnFault {
        SignOnFault(isPassing: true, step: step, detail: detail)
    }

    static func wrong(_ step: String, _ detail: String) -> SignOnFault {
        SignOnFault(isPassing: false, step: step, detail: detail)
    }
}
