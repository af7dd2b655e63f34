"""The payloads and schemas that `make bench-rules` measures: of the sizes real messages have."""

import base64
import hashlib
import json
import pathlib
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BASE = "https://frontdesk.invalid"
BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")
WORDS = ("a customer's question answered in a sentence of ordinary length with the hours "
         "prices and names that people ask for").split()


def words(count, seed=0):
    """A text of so many words, the same in every run."""
    return " ".join(WORDS[(seed * 7 + place * 5) % len(WORDS)] for place in range(count))


def name(text):
    """A UUID that follows from a text."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, text))


def envelope(kind, content):
    """A message of a kind with its envelope."""
    return {"v": 1, "id": name("message " + kind), "type": content.pop("type", "interactive"),
            "sourceId": name("business"),
            "destinationId": "urn:mbid:AQAAY3hLb0pQZ0VxTm9mUmRUdVZ3WHlaMDEyMzQ1Njc4OSsv",
            **content}


def interactive(kind, feature, **data):
    """An interactive message of the built-in extension."""
    return envelope(kind, {"interactiveData": {
        "bid": BID,
        "data": {"version": "1.0", "requestIdentifier": name("request " + kind),
                 **data, **feature},
        "receivedMessage": {"title": words(4, 1), "subtitle": words(6, 2), "style": "icon"},
        "replyMessage": {"title": words(3, 3), "style": "icon"}}})


def text():
    """A short answer."""
    return envelope("text", {"type": "text", "body": words(12), "locale": "en_US"})


def list_picker(sections=3, items=6, pictures=0):
    """Rows under headings, as an answer with choices has them."""
    rows = [{"title": words(2, s), "order": s, "multipleSelection": s > 0, "items": [
        {"identifier": f"item-{s}-{i}", "title": words(3, s * items + i),
         "subtitle": words(4, i), "order": i, "style": "default",
         **({"imageIdentifier": f"picture-{i % pictures}"} if pictures else {})}
        for i in range(items)]} for s in range(sections)]
    data = {"images": [
        {"identifier": f"picture-{i}", "description": words(4, i), "data": picture(i)}
        for i in range(pictures)]} if pictures else {}
    return interactive("list", {"listPicker": {"sections": rows}}, **data)


def picture(number, size=36_000):
    """Bytes that look like a compressed picture, in base64."""
    blocks = (hashlib.sha256(b"%d %d" % (number, i)).digest() for i in range(size // 32))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(blocks)).decode()


def time_picker(slots=12):
    """An appointment with the times that are free."""
    return interactive("time", {"event": {
        "identifier": "fitting", "title": words(3),
        "location": {"title": words(3, 4), "latitude": 35.6586, "longitude": 139.7454,
                     "radius": 100},
        "timezoneOffset": 540,
        "timeslots": [{"identifier": f"slot-{i}", "duration": 3600,
                       "startTime": f"2031-12-{1 + i // 8:02}T{9 + i % 8:02}:30+0000"}
                      for i in range(slots)]}})


def payment(lines=18, methods=8):
    """A bill with its lines and ways to ship."""
    return interactive("payment", {"payment": {
        "paymentRequest": {
            "applePay": {"merchantIdentifier": "merchant.com.example.shop",
                         "supportedNetworks": ["amex", "discover", "jcb", "masterCard", "visa"],
                         "merchantCapabilities": ["supports3DS", "supportsCredit",
                                                  "supportsDebit"]},
            "merchantName": "Example Shop", "countryCode": "US", "currencyCode": "USD",
            "lineItems": [{"label": words(4, i), "amount": f"{i + 1}.50", "type": "final"}
                          for i in range(lines)],
            "total": {"label": "Example Shop", "amount": f"{lines * (lines + 2) / 2:.2f}",
                      "type": "final"},
            "requiredBillingContactFields": ["postalAddress", "name", "email"],
            "requiredShippingContactFields": ["postalAddress", "name", "phone"],
            "shippingMethods": [{"identifier": f"method-{i}", "label": words(2, i),
                                 "detail": words(4, i), "amount": f"{i + 2}.00"}
                                for i in range(methods)]},
        "merchantSession": {"merchantSessionIdentifier": name("session").upper(),
                            "epochTimestamp": 1796083200000, "expiresAt": 1796086800000,
                            "nonce": name("nonce")[:8], "domainName": "shop.example.com",
                            "displayName": "Example Shop",
                            "signature": hashlib.sha512(b"session").hexdigest() * 4},
        "endpoints": {"paymentGatewayUrl": "https://shop.example.com/pay",
                      "fallbackUrl": "https://shop.example.com/web",
                      "orderTrackingUrl": "https://shop.example.com/orders",
                      "shippingMethodUpdateUrl": "https://shop.example.com/shipping"}}})


def form(pages=18):
    """A form whose pages are of every kind."""
    made = []
    for i in range(pages):
        follows = {"nextPageIdentifier": f"page-{i + 1}"} if i + 1 < pages else {}
        page = {"pageIdentifier": f"page-{i}", "type": ("select", "input", "datePicker",
                                                        "picker")[i % 4],
                "title": words(3, i), "subtitle": words(7, i), **follows}
        if page["type"] in ("select", "picker"):
            page["items"] = [{"title": words(3, k), "value": words(2, k),
                              "identifier": f"answer-{k}"} for k in range(6)]
        elif page["type"] == "input":
            page["options"] = {"inputType": "singleline", "required": True,
                               "keyboardType": "default", "textContentType": "name",
                               "placeholder": words(3, i), "maximumCharacterCount": 300}
        else:
            page["options"] = {"dateFormat": "MM/dd/yyyy"}
        if not follows:
            page["submitForm"] = True
        made.append(page)
    return interactive("form", {"dynamic": {
        "version": "1.2", "template": "messageForms",
        "data": {"startPageIdentifier": "page-0", "showSummary": True, "pages": made}}})


CASES = [
    ("text", "text", text), ("list", "list-picker", list_picker),
    ("time", "time-picker", time_picker), ("payment", "payment", payment),
    ("pictures", "list-picker", lambda: list_picker(2, 6, 6)), ("form", "form", form),
]


def bundle(kind):
    """The product's schema of a kind with all it refers to, as one document."""
    def read(path):
        schema = json.loads(path.read_text())
        schema["$id"] = BASE + schema["$id"]
        return schema
    schema = read(ROOT / "Schemas" / "outbound" / f"{kind}.json")
    shared = schema.setdefault("$defs", {})
    for path in sorted((ROOT / "Schemas" / "shared").glob("*.json")):
        shared["shared-" + path.stem] = read(path)
    return schema


def write(folder):
    """Writes every payload and its schema into a folder; returns [(name, bytes)]."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = []
    for case, kind, make in CASES:
        payload = json.dumps(make(), separators=(",", ":"), ensure_ascii=False).encode()
        (folder / f"{case}.json").write_bytes(payload)
        (folder / f"{case}.schema.json").write_text(json.dumps(bundle(kind)))
        sizes.append((case, len(payload)))
    return sizes
