/// Names of 2016 to 2020, and other spellings seen in the wild, with the current name.
package enum OldSpelling {
    /// The current name of an old or mistaken one; nil for any other name.
    package static func current(of name: String) -> String? { accepted[name] ?? mistaken[name] }

    /// Whether the channel reads the old name as the current one.
    package static func isAccepted(_ name: String) -> Bool { accepted[name] != nil }

    private static let accepted: [String: String] = [
        // Attachments, protocol page 4 and 13.14.
        "mime-type": "mimeType", "file-size": "size", "decryption-key": "key", "mmcs-url": "url",
        "mmcs-owner": "owner", "mmcs-signature-hex": "signature",
        // Forms as one provider wraps them, protocol page 3.11.
        "pageItems": "items",
    ]

    /// What the channel passes over, so that the member meant is missing; protocol page 8.
    private static let mistaken: [String: String] = [
        "signature_base64": "signature-base64", "signatureBase64": "signature-base64",
        "client_secret": "clientSecret", "redirect_uri": "redirectURI",
        "response_type": "responseType",
    ]
}
