import DeskBroker
package import DeskGateway
import DeskHTTP
import DeskJSON
import DeskLinks
package import DeskModel
import DeskStore

/// Applies the fault dials of each link to its traffic.
package struct DialledFaults: GatewayFaults {
    private let dice = FaultDice()

    /// Every link begins at its seed.
    package init() {}

    package func ofRequest(over link: GatewayLink) -> RequestFaults {
        var faults = RequestFaults()
        guard let dials = dials(of: link) else { return faults }
        if let milliseconds = dice.roll(.delay, dials, over: link.id) {
            faults.remarks.append("Fault dial: delayed by \(milliseconds) ms.")
            faults.delay = .milliseconds(milliseconds)
        }
        if let seconds = dice.roll(.throttle, dials, over: link.id) {
            faults.remarks.append("Fault dial: throttled.")
            faults.refusal = GatewayRefusal(
                .tooManyRequests, "a fault dial slows you down", retryAfterSeconds: seconds,
                isMeant: true)
            return faults
        }
        if let code = dice.roll(.status, dials, over: link.id) {
            faults.remarks.append("Fault dial: answered with \(code).")
            faults.refusal = GatewayRefusal(
                Status(code), "a fault dial answers so", isMeant: true)
            return faults
        }
        if dice.roll(.cut, dials, over: link.id) != nil {
            faults.remarks.append("Fault dial: the connection was cut before the answer.")
            faults.cutsAnswer = true
        }
        faults.expiresLinks = dice.roll(.expiredLink, dials, over: link.id) != nil
        return faults
    }

    package func ofDelivery(over link: GatewayLink) -> DeliveryFaults {
        var faults = DeliveryFaults()
        guard let dials = dials(of: link) else { return faults }
        faults.delay = dice.roll(.delay, dials, over: link.id).map { .milliseconds($0) }
        faults.isRepeated = dice.roll(.duplicate, dials, over: link.id) != nil
        faults.isCopied = dice.roll(.duplicateWithOtherID, dials, over: link.id) != nil
        faults.followsNext = dice.roll(.reorder, dials, over: link.id) != nil
        return faults
    }

    /// The dials that a link's settings turn up; nil when there are none.
    private func dials(of link: GatewayLink) -> FaultDials? {
        // Safe: settings were checked when they were saved; damaged ones order nothing.
        guard let root = try? JSONDocument(parsing: LinkSettings(link.settings).faults).root
        else { return nil }
        let dials = FaultDials(root)
        return dials.dials.isEmpty ? nil : dials
    }
}
