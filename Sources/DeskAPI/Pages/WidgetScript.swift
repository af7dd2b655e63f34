import DeskJSON
import DeskWeb

/// The script that pages of other origins load: one file for them, which is written as three.
enum WidgetScript {
    /// The script below the folder of the pages.
    static let path = "widget/widget.js"
    /// The other files, with where the script has them.
    private static let parts: [(path: String, place: String, isText: Bool)] = [
        ("widget/widget.css", #""STYLES""#, true), ("widget/widget-parts.js", #""PARTS""#, false),
    ]

    /// The same files, with the styles and the parts in the script, and without the comments of both.
    static func joined(in web: FileSet) -> FileSet {
        web.replacing { path, bytes in
            guard path.utf8.elementsEqual(Self.path.utf8) else { return nil }
            return parts.reduce(ModuleText.withoutComments(bytes)) { script, part in
                guard let content = web[part.path]?.bytes else { return script }
                let written =
                    part.isText ? literal(content) : ModuleText.withoutComments(content)
                return putting(written, at: part.place, in: script)
            }
        }
    }

    /// What stands for a text in a script: the text of JSON is one of JavaScript too.
    private static func literal(_ text: [UInt8]) -> [UInt8] {
        JSON.string(String(decoding: text, as: UTF8.self)).bytes()
    }

    private static func putting(
        _ content: [UInt8], at place: String, in script: [UInt8]
    ) -> [UInt8] {
        guard let range = script.firstRange(of: Array(place.utf8)) else { return script }
        return Array(script[..<range.lowerBound]) + content + Array(script[range.upperBound...])
    }
}
