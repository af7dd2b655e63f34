import DeskJSON

/// What a member of a payload holds, as far as encodings go; the rulebook's schemas say the same.
enum FieldContent {
    /// Base64 of a picture.
    case picture
    /// Base64 of bytes that nothing can be said of.
    case base64
    /// An AES key: `00` and 64 hexadecimal digits.
    case key
    /// A check sum in hexadecimal.
    case hex
    /// A web address.
    case url
    /// The address part of an app's message, `?a=b`.
    case query
    /// An object or an array.
    case container
    /// ASCII by its form: ids, codes, amounts, moments.
    case ascii
    /// What people read in a card; documented for the Basic Multilingual Plane.
    case title

    /// What a member holds, by its name and the name of the object or array that contains it.
    static func of(_ key: String, within parent: String, of object: JSONValue) -> FieldContent? {
        if key == "data" {
            if parent == "images" || parent == "image" { return .picture }
            return parent == "interactiveData" ? .container : nil
        }
        if keysOfFiles.contains(key) {
            // A member of a file's description, not of a template's or an app's own.
            guard object["url"] != nil || object["mmcs-url"] != nil else { return nil }
            return key == "key" || key == "decryption-key" ? .key : .hex
        }
        return table[key]
    }

    private static let keysOfFiles: Set = [
        "key", "decryption-key", "signature", "mmcs-signature-hex",
    ]

    private static let table: [String: FieldContent] = {
        var table: [String: FieldContent] = [:]
        func enter(_ content: FieldContent, _ names: String) {
            for name in names.split(separator: " ") { table[String(name)] = content }
        }
        enter(.picture, "appIcon brandLogo")
        enter(.base64, "signature-base64 signature_base64 signatureBase64 responseEncryptionKey")
        enter(
            .url,
            "url mmcs-url redirectURI paymentGatewayUrl fallbackUrl orderTrackingUrl "
                + "paymentMethodUpdateUrl shippingContactUpdateUrl shippingMethodUpdateUrl")
        enter(.query, "URL")
        enter(
            .container,
            "interactiveData interactiveDataRef richLinkData richLinkDataRef attachments "
                + "receivedMessage replyMessage images listPicker sections items event timeslots "
                + "location payment paymentRequest applePay lineItems total merchantSession "
                + "endpoints authenticate oauth2 quick-reply dynamic pages splash selections "
                + "notification parameters assets")
        enter(
            .ascii,
            "v type sourceId destinationId locale bid mimeType mime-type size file-size startTime "
                + "timezoneOffset duration latitude longitude radius order amount countryCode "
                + "currencyCode merchantIdentifier style appId version mspVersion template "
                + "templateId responseType")
        enter(
            .title,
            "title subtitle secondarySubtitle tertiarySubtitle imageTitle imageSubtitle "
                + "alternateTitle summaryText label merchantName appName buttonTitle splashtext "
                + "header")
        return table
    }()
}
