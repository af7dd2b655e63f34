import DeskAPI
import DeskCommandLine
import DeskCrypto
import DeskModel

/// The whole configuration of `frontdesk gateway --ephemeral`, checked.
struct EphemeralConfiguration: Sendable, Equatable {
    /// The business that a test writes to when none is named.
    static let defaultBusiness = "00000000-0000-4000-8000-000000000001"
    /// The provider's id when none is given.
    static let defaultMSP = "ephemeral"
    /// The clock's first time when none is given.
    static let defaultStart = "2026-01-01T00:00:00Z"

    let address: Address
    let portFile: PortFile
    let business: BusinessID
    let mspID: String
    let secret: [UInt8]
    /// Whether the secret was made here, and so has to be printed.
    let isSecretMade: Bool
    let endpoint: String
    /// What is posted every event, and its key; nil for nothing.
    let webhook: EphemeralWebhook?
    let start: Timestamp
    let schemas: String?
    /// Whether it has the sandbox page too, with its scripts and its clock.
    let hasPages: Bool
    /// The folder of the pages; nil for the one beside the program.
    let web: String?
    let logLevel: String

    /// Reads the checked command line.
    init(_ parsed: Parsed) throws(UsageError) {
        guard parsed.claim("ephemeral") == true else {
            throw UsageError(
                "\"frontdesk gateway\" needs --ephemeral: nothing that it holds outlives it",
                hint: "a gateway that keeps what it has is: frontdesk serve, "
                    + "frontdesk gateway register")
        }
        address = try Self.address(parsed)
        portFile = PortFile(path: parsed["port-file"])
        let name = parsed["business"] ?? Self.defaultBusiness
        guard let business = BusinessID(name) else {
            throw UsageError(
                "--business is a UUID, not \"\(name)\"",
                hint: "for example --business \(Self.defaultBusiness)")
        }
        self.business = business
        mspID = parsed["msp-id"] ?? Self.defaultMSP
        guard LinkMSP.isAllowed(mspID) else { throw UsageError("--msp-id is \(LinkMSP.rule)") }
        guard let endpoint = parsed["endpoint"].flatMap({ LinkAddress($0, for: .test) }) else {
            throw UsageError(
                "--endpoint is needed: \(LinkAddress.rule)",
                hint: "for example --endpoint http://127.0.0.1:9000; /message is appended")
        }
        self.endpoint = endpoint.text
        let secret = try Self.secret(parsed)
        isSecretMade = secret == nil
        self.secret = secret ?? RandomBytes.make(GatewayLink.secretBytes)
        webhook = try EphemeralWebhook(parsed)
        let moment = parsed["clock"] ?? Self.defaultStart
        guard let start = Timestamp(moment) else {
            throw UsageError(
                "--clock is a moment, not \"\(moment)\"",
                hint: "for example --clock \(Self.defaultStart)")
        }
        self.start = start
        schemas = parsed["schemas"]
        hasPages = parsed.claim("pages") == true
        web = parsed["web"]
        guard hasPages || web == nil else {
            throw UsageError("--web is the folder of --pages, which is missing")
        }
        logLevel = parsed["log-level"] ?? "warning"
        guard ["debug", "info", "warning", "error"].contains(logLevel) else {
            throw UsageError("--log-level is debug, info, warning or error, not \"\(logLevel)\"")
        }
    }

    /// Every program on this machine may use it, so it must not be reachable from other machines.
    private static func address(_ parsed: Parsed) throws(UsageError) -> Address {
        let text = parsed["port"] ?? "0"
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw UsageError("--port is 0 to 65535, not \"\(text)\"", hint: "0 picks a free one")
        }
        let host = parsed["host"] ?? "127.0.0.1"
        let address = Address(host: host, port: port)
        guard address.isLoopback else {
            throw UsageError(
                "an ephemeral gateway listens on loopback only, not on \"\(host)\"",
                hint: "it asks for no password: --host 127.0.0.1 or --host ::1")
        }
        return address
    }

    private static func secret(_ parsed: Parsed) throws(UsageError) -> [UInt8]? {
        guard parsed["secret"] == nil || parsed["secret-file"] == nil else {
            throw UsageError("--secret and --secret-file are both given; one is enough")
        }
        var text = parsed["secret"]
        if let path = parsed["secret-file"] {
            let bytes = try FileText.read(path, upTo: 1_024)
            text = String(
                decoding: bytes.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self)
        }
        guard let text else { return nil }
        guard let secret = LinkSecret.decode(text) else {
            throw UsageError("the secret is \(LinkSecret.rule)")
        }
        return secret
    }
}

/// The endpoint of an ephemeral gateway.
struct EphemeralWebhook: Sendable, Equatable {
    let url: String
    let signing: Webhook.Signing
    let secret: [UInt8]
    /// What the receiver verifies with.
    let receiverKey: String

    /// Reads the flags; nil without a receiver.
    init?(_ parsed: Parsed) throws(UsageError) {
        guard let target = parsed["webhook"] else {
            guard parsed["webhook-secret-file"] == nil else {
                throw UsageError("--webhook-secret-file is the key of --webhook, which is missing")
            }
            return nil
        }
        let local = try LocalSigner(parsed, flag: "webhook-secret-file")
        url = try RemoteServer.address(target, of: "--webhook")
        signing = local.signing
        secret = local.secretBytes
        receiverKey = local.receiverKey
    }
}
