import DeskAPI
import DeskCommandLine
import DeskSAML

/// An identity provider with SAML, as the command line names it.
enum SAMLConfiguration {
    static let example =
        "for example --saml-metadata /etc/frontdesk/provider.xml --sso-domain example.com"

    /// Reads the provider's metadata and the flags beside them.
    static func read(_ file: String, _ parsed: Parsed) throws(UsageError) -> SAMLSettings {
        guard parsed.values["sso-domain"] != nil else {
            throw UsageError(
                "--saml-metadata needs --sso-domain: SAML does not say which addresses were verified, so that "
                    + "those of the company's own domains alone are believed", hint: example)
        }
        let bytes = try FileText.read(file, upTo: SAMLResponse.maximumBytes)
        let provider: SAMLIdentityProvider
        do throws(SAMLMetadataError) {
            provider = try SAMLIdentityProvider(metadata: bytes)
        } catch {
            throw UsageError(
                "the file of --saml-metadata, \(file), is not used: \(error.description)",
                hint: "export it at the provider as the metadata of an IdP (identity provider)")
        }
        guard SignOnConfiguration.isProtected(provider.signOnURL) else {
            throw UsageError(
                "the provider of --saml-metadata signs people in at \"\(provider.signOnURL)\", which is no "
                    + "https:// address; http:// is for this machine's alone", hint: example)
        }
        return SAMLSettings(
            provider: provider,
            names: SAMLNames(
                subject: try attribute("saml-subject", parsed),
                email: try attribute("saml-email", parsed),
                verified: try attribute("saml-verified", parsed)))
    }

    private static func attribute(
        _ flag: String, _ parsed: Parsed
    ) throws(UsageError) -> String? {
        guard let name = parsed[flag] else { return nil }
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw UsageError(
                "--\(flag) takes an attribute's name of 1 to 255 bytes without spaces",
                hint: "for example --\(flag) urn:oid:0.9.2342.19200300.100.1.1")
        }
        return name
    }
}
