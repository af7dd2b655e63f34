"""A merchant written from the protocol page alone: what a payment request's endpoints are."""

import http.server
import json
import threading
import uuid


class Merchant:
    """Answers payment calls on a loopback port; a test may set another answer for a path."""

    def __init__(self):
        # The posts, as (path, fields, JSON), and the answers: (status, JSON) by path.
        self.calls, self.answers, self.changed = [], {}, threading.Condition()
        # Paths whose answer is kept back until the test lets it go.
        self.hold = threading.Event()
        self.held = set()
        merchant = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One call of a device's."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                """Records the call and answers as the protocol page says."""
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with merchant.changed:
                    merchant.calls.append((self.path, dict(self.headers), body))
                    merchant.changed.notify_all()
                if self.path in merchant.held:
                    merchant.hold.wait(30)
                status, answer = merchant.answers.get(self.path) or (200, merchant.answer(
                    self.path, body))
                text = json.dumps(answer).encode() if not isinstance(answer, bytes) else answer
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                """Logs nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Listens no more."""
        self.hold.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, body):
        """Coffee for 4.50: shipping is added, other countries cost more, debit cards save a little."""
        coffee = {"label": "Coffee", "amount": "4.50"}

        def bill(label, amount):
            total = f"{4.5 + float(amount):.2f}"
            return {"newLineItems": [coffee, {"label": label, "amount": amount}],
                    "newTotal": {"label": "Example Shop", "amount": total}}

        if path == "/shipping":
            method = body["payment"]["shippingMethod"]
            return bill(method["label"], method["amount"])
        if path == "/contact":
            if body["payment"]["shippingContact"].get("postalCode") == "99999":
                return {"status": "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS", "errors": [{
                    "code": "shippingContactInvalid", "contactField": "postalCode",
                    "message": "Nobody lives there"}]}
            return {**bill("Air mail", "12.00"), "newShippingMethods": [
                {"identifier": "air", "label": "Air mail", "detail": "5 days", "amount": "12.00"}]}
        if path == "/method":
            is_debit = body["payment"]["paymentMethod"]["type"] == "Debit"
            return bill("Discount", "-0.50") if is_debit else {}
        return {"status": "STATUS_SUCCESS"} if path == "/pay" else {}

    def of(self, path):
        """The bodies posted to a path."""
        return [body for at, _, body in self.calls if at == path]

    def wait(self, path, count=1, seconds=25):
        """The bodies posted to a path, once there are so many."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.of(path)) >= count, seconds), self.calls
        return self.of(path)

    def request(self, **change):
        """A payment request whose endpoints are here; None removes one."""
        endpoints = {
            "paymentGatewayUrl": f"{self.url}/pay", "paymentMethodUpdateUrl": f"{self.url}/method",
            "shippingContactUpdateUrl": f"{self.url}/contact",
            "shippingMethodUpdateUrl": f"{self.url}/shipping",
            "orderTrackingUrl": f"{self.url}/orders", "fallbackUrl": f"{self.url}/fallback",
            **change}
        return {"type": "interactive", "interactiveData": {
            "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
                   "com.apple.icloud.apps.messages.business.extension",
            "data": {
                "version": "1.0", "requestIdentifier": str(uuid.uuid4()), "payment": {
                    "paymentRequest": {
                        "applePay": {
                            "merchantIdentifier": "merchant.com.example.shop",
                            "supportedNetworks": ["visa", "amex"],
                            "merchantCapabilities": [
                                "supports3DS", "supportsCredit", "supportsDebit"]},
                        "merchantName": "Example Shop", "countryCode": "US",
                        "currencyCode": "USD",
                        "lineItems": [{"label": "Coffee", "amount": "4.50", "type": "final"}],
                        "total": {"label": "Example Shop", "amount": "4.50", "type": "final"},
                        "requiredShippingContactFields": ["postalAddress", "name"],
                        "requiredBillingContactFields": ["postalAddress"],
                        "shippingMethods": [
                            {"identifier": "post", "label": "Post", "detail": "3 days",
                             "amount": "2.00"},
                            {"identifier": "courier", "label": "Courier", "detail": "Today",
                             "amount": "9.00"}]},
                    "merchantSession": {"merchantSessionIdentifier": "TEST_1"},
                    "endpoints": {name: url for name, url in endpoints.items() if url}}},
            "receivedMessage": {"title": "Pay for your coffee"},
            "replyMessage": {"title": "Your payment"}}}
