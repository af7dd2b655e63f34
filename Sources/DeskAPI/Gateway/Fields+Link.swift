import DeskBroker
import DeskJSON
import DeskLinks
import DeskModel
import DeskWeb

extension Fields {
    /// Where a link leads; nil when it is absent or wrong, which is a finding.
    mutating func linkAddress(_ name: String, for mode: Mode) -> String? {
        guard let text = requireText(name, bytes: 1...GatewayLink.maximumURLBytes) else {
            return nil
        }
        if let address = LinkAddress(text, for: mode) { return address.text }
        note(name, LinkAddress.rule, "Give the address that the other end is reached by.")
        return nil
    }

    /// An MSP id; nil when it is absent or wrong, which is a finding.
    mutating func mspID(_ name: String = "mspId") -> String? {
        guard let text = text(name, bytes: 1...GatewayLink.maximumMSPBytes) else { return nil }
        if LinkMSP.isAllowed(text) { return text }
        note(name, LinkMSP.rule, "Copy the id as it was given to you.")
        return nil
    }

    /// A link's secret; nil when it is absent or wrong, which is a finding that does not show it.
    mutating func linkSecret(_ name: String = "secret") -> [UInt8]? {
        guard let value = value(name), !value.isNull else { return nil }
        if let text = value.string, let key = LinkSecret.decode(text) { return key }
        noteSecret(
            name, found: "a value that is no such secret", allowed: LinkSecret.rule,
            fix: "Send \(name) as it was handed out.")
        return nil
    }

    /// How a link behaves, its defaults where the settings say nothing; nil when there are none.
    ///
    /// - Throws: `invalid` when the settings are no object or have a wrong or an unknown member.
    mutating func linkSettings(
        _ name: String = "settings", reading faultSettings: FaultSettings?
    ) throws(Problem) -> LinkSettings? {
        guard let value = value(name), !value.isNull else { return nil }
        var fields = try Fields(value)
        var settings = LinkSettings()
        if let seconds = fields.number("freshnessSeconds", LinkSettings.freshness) {
            settings.freshnessSeconds = seconds
        }
        if let bytes = fields.number("referenceBytes", LinkSettings.references) {
            settings.referenceBytes = bytes
        }
        if let packs = fields.truth("packsBodies") { settings.packsBodies = packs }
        if let tells = fields.truth("tellsDeviceAgent") { settings.tellsDeviceAgent = tells }
        if let announces = fields.truth("announcesText") { settings.announcesText = announces }
        if let faultSettings, let faults = fields.value("faults"), !faults.isNull {
            settings.faults = try faultSettings(faults)
        }
        if let id = fields.text("upstreamBusiness", bytes: 0...64) {
            settings.upstreamBusiness = BusinessID(id)
            if settings.upstreamBusiness == nil {
                fields.note("upstreamBusiness", "a UUID", "Copy the business id of the gateway.")
            }
        }
        try fields.finish()
        return settings
    }

    /// True or false; nil when it is absent, null or neither, which is a finding.
    mutating func truth(_ name: String) -> Bool? {
        guard let value = value(name), !value.isNull else { return nil }
        if let truth = value.bool { return truth }
        note(.type, value, "true or false", "Send \(name) as true or false, without quotes.")
        return nil
    }
}
