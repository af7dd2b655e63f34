import DeskBytes

/// Media types: by file name, and as far as requests distinguish them.
public enum MediaType {
    /// The type for a file's name; `application/octet-stream` for an ending we do not know.
    public static func named(_ fileName: String) -> String {
        guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
        let ending = String(fileName[fileName.utf8.index(after: dot)...]).lowercasedASCII
        return byEnding[ending] ?? unknown
    }

    /// Whether a `Content-Type` is `application/json`, whatever its parameters.
    public static func isJSON(_ field: String?) -> Bool { isNamed(field, "application/json") }

    /// Whether a `Content-Type` is that of SCIM (RFC 7644, section 8.1), whatever its parameters.
    public static func isSCIM(_ field: String?) -> Bool { isNamed(field, "application/scim+json") }

    /// Whether a `Content-Type` is that of a form's fields, whatever its parameters.
    public static func isForm(_ field: String?) -> Bool {
        isNamed(field, "application/x-www-form-urlencoded")
    }

    private static func isNamed(_ field: String?, _ type: String) -> Bool {
        guard let field else { return false }
        if field.utf8.elementsEqual(type.utf8) { return true }
        let name = field.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = name.filter { $0 != 0x20 && $0 != 0x09 }
        return ASCII.equalsIgnoringCase(trimmed, type.utf8)
    }

    /// What bytes are called when nothing is known of them.
    public static let unknown = "application/octet-stream"

    private static let byEnding: [String: String] = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json", "map": "application/json",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "xml": "application/xml", "svg": "image/svg+xml", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "ico": "image/vnd.microsoft.icon",
        "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "mp4": "video/mp4", "m4v": "video/x-m4v", "mov": "video/quicktime",
        "webm": "video/webm", "3gp": "video/3gpp",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav",
        "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
        "caf": "audio/x-caf", "amr": "audio/amr",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "vcf": "text/vcard; charset=utf-8", "ics": "text/calendar; charset=utf-8",
        "woff2": "font/woff2", "wasm": "application/wasm",
        "doc": "application/msword", "xls": "application/vnd.ms-excel",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "pkpass": "application/vnd.apple.pkpass", "usdz": "model/vnd.usdz+zip",
    ]
}
