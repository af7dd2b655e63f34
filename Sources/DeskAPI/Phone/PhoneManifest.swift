import DeskBytes
import DeskJSON
import DeskMessages
import DeskModel

/// The web app manifest of a business's page: under which name and icon a home screen keeps it.
struct PhoneManifest {
    /// Smallest side in pixels of a picture that browsers make an icon of.
    static let smallestSide: UInt32 = 192

    private let business: Business
    private let icon: (type: String, side: UInt32)?

    /// - Parameter head: the first bytes of the business's picture; nil without one.
    init(of business: Business, head: [UInt8]?) {
        self.business = business
        icon = head.flatMap(Self.icon)
    }

    /// The type and the side of a picture that browsers install; nil where the icons of the pages stand in for it.
    private static func icon(_ head: [UInt8]) -> (type: String, side: UInt32)? {
        guard let type = SniffedType(firstBytes: head), [.png, .webp].contains(type) else {
            return nil
        }
        var reader = PictureSizeReader()
        reader.take(head)
        guard let size = reader.size, size.width == size.height, size.width >= smallestSide else {
            return nil
        }
        return (type.text, size.width)
    }

    /// The JSON.
    ///
    /// Its scope is this business alone: each on a server is an app of its own.
    var json: [UInt8] {
        let place = "/b/\(business.id.text)"
        return JSONWriter.object(capacity: 1_024) { text in
            text.member("name", business.name)
            text.member("short_name", business.name)
            text.member("id", place)
            text.member("start_url", place)
            text.member("scope", place)
            text.member("display", "standalone")
            text.member("background_color", "#ffffff")
            text.member("theme_color", business.colour)
            text.member("icons") { text in
                text.array { text in
                    for icon in icons(at: place) {
                        text.object {
                            $0.member("src", icon.source)
                            $0.member("sizes", icon.sizes)
                            $0.member("type", icon.type)
                            $0.member("purpose", icon.purpose)
                        }
                    }
                }
            }
        }
    }

    private typealias Icon = (source: String, sizes: String, type: String, purpose: String)

    /// With a picture of its own none of ours is named: a browser chooses among them by size alone.
    private func icons(at place: String) -> [Icon] {
        if let icon, let picture = business.picture {
            let sizes = "\(icon.side)x\(icon.side)"
            return [("\(place)/picture?v=\(picture.text.prefix(12))", sizes, icon.type, "any")]
        }
        let folder = "/web/phone"
        return [
            ("\(folder)/icon-192.png", "192x192", "image/png", "any"),
            ("\(folder)/icon-512.png", "512x512", "image/png", "any"),
            ("\(folder)/icon-maskable-512.png", "512x512", "image/png", "maskable"),
        ]
    }
}
