/// Names of 2017 to 2020, and other spellings seen in the wild, with the current name.
enum OldSpelling {
    /// The current name of an old one; nil for any other name.
    static func current(of name: String) -> String? { table[name] }

    private static let table: [String: String] = [
        // Attachments, protocol page section 4.
        "mime-type": "mimeType", "file-size": "size", "decryption-key": "key", "mmcs-url": "url",
        "mmcs-owner": "owner", "signature_base64": "signature-base64",
        "signatureBase64": "signature-base64",
        // Interactive data, section 9.
        "mspVersion": "version", "quickReply": "quick-reply", "quick_reply": "quick-reply",
        "list-picker": "listPicker", "listpicker": "listPicker", "timePicker": "event",
        "time-picker": "event", "authentication": "authenticate",
        // Forms and sign-in as some providers wrap them.
        "pageItems": "items", "client_secret": "clientSecret", "redirect_uri": "redirectURI",
        "response_type": "responseType",
    ]
}
