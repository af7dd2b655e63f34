import DeskBytes

/// A file name fit to be shown, stored and put into a header.
public enum FileName {
    /// Longest name in bytes of UTF-8; what is beyond is cut, the ending kept.
    public static let maximumBytes = 200

    /// The last part of a path without control and direction characters; `file` when nothing is left.
    public static func cleaned(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var scalars = String.UnicodeScalarView()
        // Not removed one by one: a payload may have a name of megabytes.
        for scalar in last.unicodeScalars where isShown(scalar) {
            if scalars.isEmpty, scalar == "." || scalar == " " { continue }
            scalars.append(scalar)
        }
        guard !scalars.isEmpty else { return "file" }
        return shortened(String(scalars))
    }

    /// The value of a `Content-Disposition` field (RFC 6266), readable by every browser.
    ///
    /// A message's file has the name that its payload says, which may be any text.
    public static func disposition(_ name: String, isInline: Bool) -> String {
        let name = cleaned(name)
        let plain = name.utf8.map { byte in
            let isSafe =
                (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"")
                && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "%")
            return isSafe ? byte : UInt8(ascii: "_")
        }
        return (isInline ? "inline" : "attachment")
            + "; filename=\"\(String(decoding: plain, as: UTF8.self))\""
            + "; filename*=UTF-8''\(PercentCoding.encode(name))"
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Direction marks turn `gpj.exe` around; U+FFFC would count as an attachment's place.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default: scalar.value != 0xFFFC
        }
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        var ending = ""
        if let dot = text.lastIndex(of: "."), text[dot...].utf8.count <= 16 {
            ending = String(text[dot...])
        }
        var scalars = String.UnicodeScalarView()
        var count = ending.utf8.count
        for scalar in text.unicodeScalars {
            count += String(scalar).utf8.count
            guard count <= maximumBytes else { break }
            scalars.append(scalar)
        }
        return String(scalars) + ending
    }
}
