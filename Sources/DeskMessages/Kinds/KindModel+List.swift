import DeskJSON
import DeskModel

extension KindModel {
    /// Rows in sections, one or several to choose (protocol page 3.5).
    static let list = KindModel(
        .list, name: Wording(english: "List", japanese: "リスト"),
        schemas: Schemas(outbound: "list-picker", inbound: "list-picker-reply"),
        feature: Feature(
            key: "listPicker", mistakenKeys: ["list-picker", "listpicker"],
            judge: { $0.judgeList($1) },
            chosen: { feature, language in
                let items = feature["sections"]?[0]?["items"]?.list ?? []
                let titles = items.compactMap { $0["title"]?.string }
                return titles.isEmpty ? nil : language.row(titles)
            }),
        picking: Picking(
            severalOf: { data in
                let sections = data?["listPicker"]?["sections"]?.list ?? []
                return sections.flatMap { Picking.offers(of: $0["items"], shownBy: "title") }
            },
            sample: { data in
                let section = data?["listPicker"]?["sections"]?.elements.first { section in
                    section["items"]?[0] != nil
                }
                let count = section?["multipleSelection"]?.bool == true ? 2 : 1
                let items = section?["items"]?.list ?? []
                return items.prefix(count).compactMap { $0["identifier"]?.string }
            },
            // The chosen items come first, whatever the section is called.
            picked: { $0["sections"]?[0]?["items"]?.list ?? [] },
            answer: { request, identifiers throws(ReplyError) in
                try request.answerList(identifiers)
            }),
        capability: { _ in .list })
}
