import DeskHTTP
import DeskModel
import DeskWeb

extension PageRoutes {
    /// Adds the script that pages of other origins load, and the page in its frame.
    func addWidget(to table: inout RouteTable) {
        table.add(
            .get, "/widget.js", operation: "getWidgetScript", permission: .open, query: .ignored
        ) { context in
            var response = file(named: WidgetScript.path, context)
            // The one file of ours that pages of any origin may load: it says nothing of any business.
            response.headers.set("Cross-Origin-Resource-Policy", "cross-origin")
            return response
        }
        table.add(
            .get, "/w/{business}", operation: "openWidget", permission: .open, query: .ignored
        ) { context throws(Problem) in
            guard let id = context.request.parameters["business"].flatMap({ BusinessID($0) })
            else { throw .notFound }
            let settings = WidgetSettings(stored: try await context.services.storedWidget(of: id))
            guard settings.isOn else { throw .notFound }
            var response = file(named: "phone/index.html", context)
            PageHeaders.add(to: &response, for: context, framing: .embedded(settings.origins))
            response.headers.set("Cache-Control", "no-store")
            return response
        }
    }
}
