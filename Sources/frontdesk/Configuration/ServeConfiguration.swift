import DeskAPI
import DeskCommandLine
import DeskDelivery
import DeskStore
import DeskWeb

/// The whole configuration of `frontdesk serve`, checked.
struct ServeConfiguration: Sendable, Equatable {
    let listen: Address
    let data: String
    /// The database that has the data; nil means the data directory.
    let database: DatabaseAddress?
    /// Where the bytes of attachments lie; nil means in the database or the data directory.
    let blobs: BlobsLocation?
    /// Where the keys come from that encrypt secrets; nil means the file in the data directory.
    let keys: EncryptionKeySource?
    /// Nil means the address that is listened on.
    let publicURL: PublicURL?
    /// What was said about the sandbox; nil means on by itself where only this machine can reach it.
    let sandbox: Bool?
    /// Whether providers and upstreams may be at private addresses; nil means where only
    /// this machine can reach the server.
    let privateEndpoints: Bool?
    let web: String?
    let schemas: String?
    let portFile: String?
    let certificate: String?
    let key: String?
    let limits: [LimitSetting]
    /// The proxies whose forwarding headers are trusted.
    let trustedProxies: [AddressRange]
    /// Who may read the metrics beside this machine.
    let metricsFrom: [AddressRange]
    /// The push services that customers' browsers may be notified of answers by, beside the known ones.
    let pushServices: [PushService]
    /// The name of the business that the first start makes.
    let businessName: String
    let logLevel: String
    /// The operator's model; nil leaves all that uses one off.
    let assistant: AssistantConfiguration?
    /// The operator's identity provider; nil leaves passwords alone.
    let signOn: SingleSignOn.Settings?
    /// Whether identity providers may add and remove people.
    let allowsProvisioning: Bool
    /// The mail server; nil sends no e-mails.
    let mail: MailConfiguration?

    /// Reads the checked command line.
    init(_ parsed: Parsed) throws(UsageError) {
        listen = try Self.address(parsed["listen"])
        data = parsed["data"] ?? ServeConfiguration.defaultData
        database = try parsed.databaseAddress()
        blobs = try parsed.blobsLocation(of: parsed["database"])
        keys = try parsed.encryptionKeys()
        publicURL = try Self.publicURL(parsed["public-url"])
        sandbox = parsed.claim("sandbox")
        privateEndpoints = parsed.claim("private-endpoints")
        web = parsed["web"]
        schemas = parsed["schemas"]
        portFile = parsed["port-file"]
        certificate = parsed["tls-cert"]
        key = parsed["tls-key"]
        try Self.requirePair(parsed)
        assistant = try AssistantConfiguration.read(parsed)
        signOn = try SignOnConfiguration.read(parsed)
        allowsProvisioning = parsed.claim("scim") ?? false
        mail = try MailConfiguration.read(parsed)
        var limits: [LimitSetting] = []
        for text in parsed.values["limit"] ?? [] { limits.append(try LimitSetting(text)) }
        self.limits = limits
        trustedProxies = try Self.ranges(parsed.values["trusted-proxy"] ?? [], of: "trusted-proxy")
        metricsFrom = try Self.ranges(parsed.values["metrics-from"] ?? [], of: "metrics-from")
        pushServices = try Self.pushServices(parsed.values["push-service"] ?? [])
        businessName = try Self.businessName(parsed["name"])
        logLevel = try Self.logLevel(parsed["log-level"])
    }

    /// Everything that is wrong with a command line, each thing once; `init` throws the first alone.
    static func errors(in parsed: Parsed) -> [UsageError] {
        var errors: [UsageError] = []
        func attempt(_ step: () throws(UsageError) -> Void) {
            do throws(UsageError) {
                try step()
            } catch {
                if !errors.contains(error) { errors.append(error) }
            }
        }
        attempt { () throws(UsageError) in _ = try Self.address(parsed["listen"]) }
        attempt { () throws(UsageError) in _ = try parsed.databaseAddress() }
        attempt { () throws(UsageError) in _ = try parsed.blobsLocation(of: parsed["database"]) }
        attempt { () throws(UsageError) in _ = try parsed.encryptionKeys() }
        attempt { () throws(UsageError) in _ = try Self.publicURL(parsed["public-url"]) }
        attempt { () throws(UsageError) in try Self.requirePair(parsed) }
        attempt { () throws(UsageError) in _ = try AssistantConfiguration.read(parsed) }
        attempt { () throws(UsageError) in _ = try SignOnConfiguration.read(parsed) }
        attempt { () throws(UsageError) in _ = try MailConfiguration.read(parsed) }
        for text in parsed.values["limit"] ?? [] {
            attempt { () throws(UsageError) in
                var limits = Limits()
                try LimitSetting(text).apply(to: &limits.api, &limits.server)
            }
        }
        for flag in ["trusted-proxy", "metrics-from"] {
            for text in parsed.values[flag] ?? [] {
                attempt { () throws(UsageError) in _ = try Self.ranges([text], of: flag) }
            }
        }
        for text in parsed.values["push-service"] ?? [] {
            attempt { () throws(UsageError) in _ = try Self.pushServices([text]) }
        }
        attempt { () throws(UsageError) in _ = try Self.businessName(parsed["name"]) }
        attempt { () throws(UsageError) in _ = try Self.logLevel(parsed["log-level"]) }
        // Whatever else it looks at.
        attempt { () throws(UsageError) in _ = try ServeConfiguration(parsed) }
        return errors
    }

    /// The data directory without `--data`.
    static let defaultData = "data"

    /// Whether connections are encrypted here.
    var isSecure: Bool { certificate != nil }

    /// Where to listen, without `--listen` too.
    static func address(_ typed: String?) throws(UsageError) -> Address {
        let text = typed ?? "127.0.0.1:8080"
        guard let address = Address(text) else {
            throw UsageError(
                "--listen takes HOST:PORT, not \"\(text)\"",
                hint: "for example --listen 127.0.0.1:8080, or port 0 to have one picked")
        }
        return address
    }

    private static func requirePair(_ parsed: Parsed) throws(UsageError) {
        guard (parsed["tls-cert"] == nil) == (parsed["tls-key"] == nil) else {
            throw UsageError("--tls-cert and --tls-key belong together; only one is given")
        }
    }

    private static func businessName(_ typed: String?) throws(UsageError) -> String {
        let name = typed ?? "My business"
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw UsageError("--name takes 1 to 100 characters")
        }
        return name
    }

    private static func logLevel(_ typed: String?) throws(UsageError) -> String {
        let level = typed ?? "info"
        guard Catalogue.logLevels.contains(level) else {
            throw UsageError("--log-level is debug, info, warning or error, not \"\(level)\"")
        }
        return level
    }

    private static func ranges(
        _ texts: [String], of flag: String
    ) throws(UsageError) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for text in texts {
            guard let range = AddressRange(text) else {
                throw UsageError(
                    "--\(flag) takes ADDRESS or ADDRESS/BITS, not \"\(text)\"",
                    hint: "for example --\(flag) 10.0.0.7 or --\(flag) 10.0.0.0/8")
            }
            ranges.append(range)
        }
        return ranges
    }

    private static func pushServices(_ texts: [String]) throws(UsageError) -> [PushService] {
        var services: [PushService] = []
        for text in texts {
            guard let service = PushService(text) else {
                throw UsageError(
                    "--push-service takes HOST, HOST:PORT or *.HOST, not \"\(text)\"",
                    hint: "for example --push-service push.example.com")
            }
            services.append(service)
        }
        return services
    }

    private static func publicURL(_ text: String?) throws(UsageError) -> PublicURL? {
        guard let text else { return nil }
        guard let url = PublicURL(text) else {
            throw UsageError(
                "--public-url is http:// or https://, a host and perhaps a port, not \"\(text)\"",
                hint: "for example --public-url https://chat.example.com")
        }
        return url
    }
}
