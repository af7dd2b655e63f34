import DeskBroker
import DeskHTTP
import DeskModel

extension GatewayCall {
    /// Lets the dials of the link have their way with a request that was admitted.
    ///
    /// - Throws: the refusal that a dial wants; nothing was carried out then.
    mutating func misbehave(_ dials: FaultDials) async throws(GatewayRefusal) {
        guard parts.mayMisbehave, let link, !dials.dials.isEmpty else { return }
        func roll(_ fault: FaultDials.Fault) -> Int? {
            parts.dice.roll(fault, dials, over: link.id)
        }
        if let milliseconds = roll(.delay) {
            remark("Fault dial: delayed by \(milliseconds) ms.")
            // Safe: a delay that is cut short by the request's end is over.
            try? await parts.time.sleep(.milliseconds(milliseconds))
        }
        if let seconds = roll(.throttle) {
            remark("Fault dial: throttled.")
            throw GatewayRefusal(
                .tooManyRequests, "a fault dial slows you down", retryAfterSeconds: seconds,
                isMeant: true)
        }
        if let code = roll(.status) {
            remark("Fault dial: answered with \(code).")
            throw GatewayRefusal(Status(code), "a fault dial answers so", isMeant: true)
        }
        if roll(.cut) != nil {
            remark("Fault dial: the connection was cut before the answer.")
            isCut = true
        }
        if roll(.expiredLink) != nil { hasExpiredLinks = true }
    }
}
