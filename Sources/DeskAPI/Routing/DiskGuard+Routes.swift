import DeskHTTP
import DeskWeb

extension DiskGuard {
    /// Writes that go on while the disk is full, besides all deletions.
    ///
    /// They store next to nothing or nothing at all; without them no person could sign in and
    /// make room.
    static let goesOn: Set<String> = [
        "signIn", "changeMember", "validate", "diagnose", "previewTemplate", "signalTyping",
        "signalPhoneTyping", "typePhoneCode", "createMerchantSession", "updatePaymentMethod",
        "updateShippingContact", "updateShippingMethod", "trackOrder", "processPayment",
    ]

    /// Refuses a route that would store something.
    func admit(_ row: RouteTable.Row) throws(Problem) {
        switch row.method {
        case .get, .head, .options, .delete: return
        case .post, .put, .patch, .trace, .connect, .other: break
        }
        guard !Self.goesOn.contains(row.operation) else { return }
        noteRefused()
        throw .storageFull
    }
}
