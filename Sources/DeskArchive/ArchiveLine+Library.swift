import DeskJSON
import DeskModel

/// Files of libraries as lines; their bytes and holds are lines of their own.
extension ArchiveLine {
    static func write(_ one: LibraryFile, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        line.put("business", one.business.text)
        line.key("attachment")
        line.value(one.use)
        if let width = one.width { line.put("width", Int64(width)) }
        if let height = one.height { line.put("height", Int64(height)) }
        line.put("author", one.author)
        line.put("addedAt", one.addedAt)
    }

    static func libraryFile(_ line: inout ArchiveMembers) throws(ArchiveFault) -> LibraryFile {
        LibraryFile(
            id: try line.id("id"), business: try line.id("business"),
            use: try attachment(line.take("attachment", "an object") { $0 }),
            width: try line.numberIfAny("width").map { Int($0) },
            height: try line.numberIfAny("height").map { Int($0) },
            author: try line.author("author"), addedAt: try line.time("addedAt"))
    }
}
