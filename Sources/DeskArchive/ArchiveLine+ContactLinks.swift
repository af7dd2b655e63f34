import DeskJSON
import DeskModel

/// Links of contacts as lines.
extension ArchiveLine {
    static func write(_ one: ContactLink, to line: inout JSONWriter) {
        line.put("one", one.one.text)
        line.put("other", one.other.text)
        line.put("linked", one.isLinked)
        line.put("author", one.author)
        line.put("at", one.time)
    }

    static func contactLink(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ContactLink {
        let one: ContactID = try line.id("one")
        let other: ContactID = try line.id("other")
        return ContactLink(
            one, other, isLinked: try line.claim("linked"), author: try line.author("author"),
            time: try line.time("at"))
    }
}
