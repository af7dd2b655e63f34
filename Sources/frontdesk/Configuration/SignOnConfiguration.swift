import DeskAPI
import DeskBytes
import DeskCommandLine
import DeskSAML
import DeskWeb

/// The operator's identity provider, as the command line names it.
enum SignOnConfiguration {
    private static let example = "for example --sso-issuer https://login.example.com/realms/main"

    /// Reads the flags; nil without `--sso-issuer` and `--saml-metadata`, which leaves passwords alone.
    static func read(_ parsed: Parsed) throws(UsageError) -> SingleSignOn.Settings? {
        switch (parsed["sso-issuer"], parsed["saml-metadata"]) {
        case (nil, nil):
            try refuse(
                ["sso-name", "sso-only", "sso-domain"], in: parsed,
                without: "--sso-issuer or --saml-metadata")
            try refuse(openIDFlags, in: parsed, without: "--sso-issuer")
            try refuse(samlFlags, in: parsed, without: "--saml-metadata")
            return nil
        case (_?, _?):
            throw UsageError(
                "--sso-issuer and --saml-metadata both name a provider; give one of them",
                hint: "--sso-issuer for OpenID Connect, --saml-metadata for SAML 2.0")
        case (let issuer?, nil):
            try refuse(samlFlags, in: parsed, without: "--saml-metadata")
            let openID = try openID(issuer, parsed)
            return try settings(.openID(openID), named: host(of: issuer), parsed)
        case (nil, let file?):
            try refuse(openIDFlags, in: parsed, without: "--sso-issuer")
            let saml = try SAMLConfiguration.read(file, parsed)
            return try settings(.saml(saml), named: host(of: saml.provider.signOnURL), parsed)
        }
    }

    /// Most domains of a company.
    private static let mostDomains = 64
    private static let openIDFlags = ["sso-client", "sso-secret-file"]
    private static let samlFlags = ["saml-subject", "saml-email", "saml-verified"]

    private static func refuse(
        _ flags: [String], in parsed: Parsed, without other: String
    ) throws(UsageError) {
        for flag in flags where parsed[flag] != nil && parsed[flag] != "off" {
            throw UsageError(
                "--\(flag) needs \(other)",
                hint: samlFlags.contains(flag) ? SAMLConfiguration.example : example)
        }
    }

    private static func openID(
        _ issuer: String, _ parsed: Parsed
    ) throws(UsageError) -> OpenIDSettings {
        guard isIssuer(issuer) else {
            throw UsageError(
                "--sso-issuer is the provider's own https:// address without a query, not "
                    + "\"\(issuer)\"; http:// is for this machine's alone", hint: example)
        }
        guard let client = parsed["sso-client"], (1...255).contains(client.utf8.count),
            client.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw UsageError(
                "--sso-client is needed beside --sso-issuer: the client id that the provider gave",
                hint: "1 to 255 printable characters, no space")
        }
        return OpenIDSettings(
            issuer: issuer, client: client, secret: try secret(parsed["sso-secret-file"]))
    }

    private static func settings(
        _ way: SingleSignOn.Way, named host: String, _ parsed: Parsed
    ) throws(UsageError) -> SingleSignOn.Settings {
        let name = parsed["sso-name"] ?? host
        guard (1...60).contains(name.unicodeScalars.count),
            name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw UsageError(
                "--sso-name takes 1 to 60 characters: what people call the provider",
                hint: "for example --sso-name \"Example account\"")
        }
        return SingleSignOn.Settings(
            way, name: name, isOnly: parsed.claim("sso-only") ?? false,
            domains: try domains(parsed.values["sso-domain"]))
    }

    private static func isIssuer(_ text: String) -> Bool {
        guard text.utf8.count <= 500,
            text.utf8.allSatisfy({
                (0x21...0x7E).contains($0) && !"\"<>\\^`{|}?#@".utf8.contains($0)
            })
        else { return false }
        return isProtected(text)
    }

    /// Whether an address is one with TLS, or of this machine.
    static func isProtected(_ address: String) -> Bool {
        guard let origin = PublicURL(String(decoding: originBytes(of: address), as: UTF8.self))
        else { return false }
        return origin.isSecure || origin.isLoopback
    }

    /// Scheme, host and port of an address.
    private static func originBytes(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var slashes = 0
        for (place, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "/") { slashes += 1 }
            if slashes == 3 || byte == UInt8(ascii: "?") { return Array(bytes[..<place]) }
        }
        return bytes
    }

    private static func host(of issuer: String) -> String {
        PublicURL(String(decoding: originBytes(of: issuer), as: UTF8.self))?.host ?? issuer
    }

    private static func secret(_ path: String?) throws(UsageError) -> String? {
        guard let path else { return nil }
        let secret = try RemoteServer.readSecret(path)
        guard !secret.isEmpty else {
            throw UsageError("the file of --sso-secret-file has no secret")
        }
        return secret
    }

    private static func domains(_ typed: [String]?) throws(UsageError) -> [String] {
        guard let typed else { return [] }
        guard !typed.isEmpty else {
            throw UsageError(
                "--sso-domain is set and names no domain",
                hint: "for example --sso-domain example.com; leave it out to let in any address")
        }
        guard typed.count <= mostDomains else {
            throw UsageError(
                "--sso-domain names at most \(mostDomains) domains, not \(typed.count)")
        }
        var all: [String] = []
        for one in typed { all.append(try domain(one)) }
        return all
    }

    private static func domain(_ typed: String) throws(UsageError) -> String {
        let bytes = ASCII.lowercased(typed.utf8)
        guard (1...253).contains(bytes.count),
            bytes.allSatisfy({ ASCII.isAlphanumeric($0) || "-.".utf8.contains($0) }),
            bytes.first != UInt8(ascii: "."), bytes.last != UInt8(ascii: ".")
        else {
            throw UsageError(
                "--sso-domain is what stands behind the @ of addresses, not \"\(typed)\"",
                hint: "for example --sso-domain example.com")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
