public import DeskJSON
public import DeskModel

/// How a link behaves, as its settings say; what they leave out has the protocol's usual form.
public struct LinkSettings: Hashable, Sendable {
    /// What `freshnessSeconds` may be: a minute to a day.
    public static let freshness = 60...86_400
    /// What `referenceBytes` may be: nothing to the size of a request.
    public static let references = 0...4_194_304

    /// Seconds by which a token's `iat` may differ from our clock (protocol page 1.4: not published).
    public var freshnessSeconds = 3_600
    /// Whether bodies to a provider are packed with gzip (1.5).
    public var packsBodies = true
    /// Whether a provider is sent `device-agent`, which the protocol has given up (1.3).
    public var tellsDeviceAgent = false
    /// Whether a text is announced by `typing_start` (2.1).
    public var announcesText = true
    /// Bytes of interactive data beyond which it travels by reference (1.7).
    public var referenceBytes = 10_240
    /// What an upstream calls our business; nil when it uses our id.
    public var upstreamBusiness: BusinessID?
    /// What goes wrong on purpose, as JSON text that the sandbox reads; no faults where nothing is said.
    public var faults: [UInt8] = Array(#"{"seed":1}"#.utf8)

    /// The usual behaviour.
    public init() {}

    /// Reads a settings text; what is missing or of another type keeps its default.
    public init(_ text: [UInt8]) {
        self.init()
        // Safe: settings were checked when they were saved; of a damaged text the defaults hold.
        guard let root = try? JSONDocument(parsing: text).root else { return }
        if let value = root["freshnessSeconds"]?.int, Self.freshness.contains(value) {
            freshnessSeconds = value
        }
        if let value = root["packsBodies"]?.bool { packsBodies = value }
        if let value = root["tellsDeviceAgent"]?.bool { tellsDeviceAgent = value }
        if let value = root["announcesText"]?.bool { announcesText = value }
        if let value = root["referenceBytes"]?.int, Self.references.contains(value) {
            referenceBytes = value
        }
        if let value = root["faults"], value.kind == .object { faults = Array(value.rawBytes) }
        upstreamBusiness = root["upstreamBusiness"]?.string.flatMap { BusinessID($0) }
    }

    /// The settings' text.
    public var json: JSON {
        [
            "freshnessSeconds": .integer(freshnessSeconds), "packsBodies": .bool(packsBodies),
            "tellsDeviceAgent": .bool(tellsDeviceAgent), "announcesText": .bool(announcesText),
            "referenceBytes": .integer(referenceBytes),
            "faults": .raw(faults),
            "upstreamBusiness": upstreamBusiness.map { .string($0.text) } ?? .null,
        ]
    }
}
