import DeskHTTP
import DeskModel

extension GatewayContext {
    /// Carries out what is to go wrong on purpose with a request that was admitted.
    ///
    /// - Throws: the refusal that is ordered; nothing was carried out then.
    package mutating func misbehave() async throws(GatewayRefusal) {
        guard let link, let faults = parts.faults?.ofRequest(over: link) else { return }
        for sentence in faults.remarks { remark(sentence) }
        if let delay = faults.delay {
            // Safe: the end of the request cuts the delay short.
            try? await parts.time.sleep(delay)
        }
        if let refusal = faults.refusal { throw refusal }
        isCut = faults.cutsAnswer
        hasExpiredLinks = faults.expiresLinks
    }
}
