import DeskCommandLine

/// What concerns the sign-in through an identity provider.
extension Catalogue {
    /// The flags of `serve` that name the operator's identity provider.
    static let signOn = [
        Flag(
            "sso-issuer", .value("URL"),
            "an identity provider with OpenID Connect, through which people sign in to the console, "
                + "such as https://login.example.com/realms/main (default: none)",
            isConfiguration: true),
        Flag(
            "sso-client", .value("ID"), "the client id that it gave this server",
            isConfiguration: true),
        Flag(
            "sso-secret-file", .value("FILE"),
            "a file with the client's secret (default: a client without a secret)",
            isConfiguration: true),
        Flag(
            "saml-metadata", .value("FILE"),
            "the metadata of an identity provider with SAML 2.0, in place of --sso-issuer (default: none)",
            isConfiguration: true),
        Flag(
            "saml-subject", .value("NAME"),
            "the attribute of SAML that names a person for ever (default: the NameID)",
            isConfiguration: true),
        Flag(
            "saml-email", .value("NAME"),
            "the attribute of SAML with a person's address (default: those that are usual)",
            isConfiguration: true),
        Flag(
            "saml-verified", .value("NAME"),
            "the attribute of SAML that has to be true for a person's address to be believed "
                + "(default: those of --sso-domain are believed)",
            isConfiguration: true),
        Flag(
            "sso-name", .value("TEXT"),
            "what people call it, for the button (default: its host)", isConfiguration: true),
        Flag(
            "sso-only", .onOrOff,
            "refuse passwords; the links of the operator go on to work (default: off)",
            isConfiguration: true),
        Flag(
            "sso-domain", .values("DOMAIN"),
            "let in only people whose address there is of this domain; may be given several times, in the "
                + "environment separated by commas; needed beside --saml-metadata (default: any)",
            isConfiguration: true),
        Flag(
            "scim", .onOrOff,
            "let keys with the scope people add and remove the people of a business, as identity providers "
                + "do by SCIM 2.0 (default: off)",
            isConfiguration: true),
    ]
}
