import DeskModel
import DeskStore

/// A template's place in the list of several businesses' templates.
struct TemplatePlace {
    let business: BusinessID
    let name: TemplateName

    /// Reads what `text` wrote.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let business = BusinessID(String(parts[0])),
            let name = TemplateName(String(parts[1]))
        else { return nil }
        self.business = business
        self.name = name
    }

    /// What names a template's place.
    static func text(_ template: Template) -> String {
        "\(template.business.text)/\(template.name.text)"
    }
}

extension PageEdge<TemplatePlace> {
    /// Whether a page has something of a business, in the order of their ids.
    func reaches(_ business: BusinessID) -> Bool {
        switch self {
        case .start: true
        case .after(let place): business.text >= place.business.text
        case .before(let place): business.text <= place.business.text
        }
    }

    /// Where in a business's own list its part of the page lies.
    func part(in business: BusinessID) -> PageEdge<TemplateName> {
        switch self {
        case .after(let place) where place.business == business: .after(place.name)
        case .before(let place) where place.business == business: .before(place.name)
        case .before: .before(TemplateName.beyondAll)
        case .start, .after: .start
        }
    }
}
