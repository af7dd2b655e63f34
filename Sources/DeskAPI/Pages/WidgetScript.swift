import DeskJSON
import DeskWeb

/// The script that pages of other origins load: one file for them, which is written as two.
enum WidgetScript {
    /// The script below the folder of the pages.
    static let path = "widget/widget.js"
    private static let stylesPath = "widget/widget.css"
    /// Where the script has its styles.
    private static let place = Array(#""STYLES""#.utf8)

    /// The same files, with the styles in the script.
    static func joined(in web: FileSet) -> FileSet {
        guard let styles = web[stylesPath]?.bytes else { return web }
        // The text of JSON is one of JavaScript too.
        let literal = JSON.string(String(decoding: styles, as: UTF8.self)).bytes()
        return web.replacing { path, bytes in
            guard path.utf8.elementsEqual(Self.path.utf8) else { return nil }
            guard let range = bytes.firstRange(of: place) else { return nil }
            return Array(bytes[..<range.lowerBound]) + literal
                + Array(bytes[range.upperBound...])
        }
    }
}
