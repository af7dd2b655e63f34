"""Outbound cases: envelope, texts, links, pickers and quick replies."""

from support.channel import APP, BUSINESS, GONE, PICTURE, Table, asked, sent

T = Table("outbound")

# 3.0 to 3.2: envelope, text, typing.
TEXT = sent("text", {"body": "Hello"})
FILE = {"name": "map.png", "mimeType": "image/png", "size": "48213", "url": "https://files.example.com/1",
        "signature-base64": "AZ60f1uOa5yYz6v1mS3mFqk2l0e9", "owner": "M1", "key": "00" + "1f" * 32}
WITH_FILE = sent("text", {"body": "\ufffc", "attachments": [FILE]})
T.add("3.1", "a text", TEXT)
T.add("3.1", "a text with locale", TEXT, {"locale": "en_US"})
T.add("3.12", "a locale with a hyphen in small letters", TEXT, {"locale": "en-us"})
T.add("13.7", "a locale that is null", TEXT, {"locale": None})
T.ignored("13.7", "a locale that is empty", TEXT, {"locale": ""})
T.add("13.7", "attachments that are null", TEXT, {"attachments": None})
T.add("13.7", "a text of a typed serialiser", TEXT, {
    "locale": None, "attachments": None, "interactiveData": None, "interactiveDataRef": None,
    "richLinkData": None, "intent": None, "group": None})
T.add("3.10", "attachments that are empty", TEXT, {"attachments": []})
T.add("2.1", "v as 1.0", TEXT, {"v": 1.0})
T.add("13.5", "a text of 5,000 characters", TEXT, {"body": "x" * 5000})
T.add("13.5", "a text of 10,000 characters outside the basic plane", TEXT, {"body": "\U0001f600" * 10000})
T.add("1.7", "a text of 100,000 characters", TEXT, {"body": "x" * 100_000})
T.add("1.7", "emoji", TEXT, {"body": "\U0001f44d\U0001f3fd ok"})
T.ignored("3.1", "a surplus U+FFFC", TEXT, {"body": "a \ufffc"})
T.ignored("3.1", "a surplus attachment", WITH_FILE, {"body": "no place"})
T.ignored("10.6", "an unknown key", TEXT, {"isBot": True})
T.ignored("10.2", "the prefix urn:biz:", TEXT, {"sourceId": "urn:biz:" + BUSINESS})
T.add("1.3", "ids in capitals", TEXT, {"id": "6F2D1C5E-0000-4000-8000-000000000001"})
T.refused("3.1", "a text without body", TEXT, {"body": GONE})
T.refused("3.1", "a body that is null", TEXT, {"body": None})
T.refused("2.2", "close from a business", sent("close", {}))
T.refused("3.0", "an unknown type", sent("image", {}))
T.refused("3.0", "no type", TEXT, {"type": GONE})
T.refused("3.0", "v as text", TEXT, {"v": "1"})
T.refused("3.0", "v that is null", TEXT, {"v": None})
T.refused("3.0", "no UUID as id", TEXT, {"id": "message-1"})
T.refused("1.6", "a destination that is nobody's", TEXT, {"destinationId": "mailto:hana@example.com"})
T.refused("3.0", "a body that is a number", TEXT, {"body": 7})
T.add("3.2", "typing", sent("typing_start", {}))
T.add("3.2", "the end of typing", sent("typing_end", {}))
T.add("13.7", "typing of a typed serialiser", sent("typing_start", {"body": None, "attachments": None}))
T.ignored("3.2", "typing with a body", sent("typing_start", {"body": ""}))

# 4: attachments in the spelling of today and of 2016 to 2020.
OLD_FILE = {"name": "map.png", "mime-type": "image/png", "file-size": "48213", "mmcs-owner": "M1",
            "signature-base64": "AZ60f1uOa5yYz6v1mS3mFqk2l0e9", "decryption-key": "00" + "1F" * 32,
            "mmcs-url": "https://files.example.com/1"}
T.add("4.5", "an attachment", WITH_FILE)
T.add("4.5", "an attachment whose size is a number", WITH_FILE, {"attachments.0.size": 48213})
T.add("4.5", "an attachment whose size is 48213.0", WITH_FILE, {"attachments.0.size": 48213.0})
T.add("4.5", "names of 2018", WITH_FILE, {"attachments": [OLD_FILE]})
T.add("13.14", "names of 2016 with mmcs-signature-hex", WITH_FILE, {"attachments": [
    {**{k: v for k, v in OLD_FILE.items() if k != "signature-base64"},
     "mmcs-signature-hex": "81" + "AB" * 20}]})
T.add("13.14", "both signatures of 2016", WITH_FILE, {
    "attachments": [{**OLD_FILE, "mmcs-signature-hex": "81" + "ab" * 20}]})
T.add("4.3", "a key in capitals", WITH_FILE, {"attachments.0.key": "00" + "AB" * 32})
T.add("2.3", "a signature in hex beside base64", WITH_FILE, {"attachments.0.signature": "81" + "ab" * 20})
T.ignored("4.6", "a media type that is none", WITH_FILE, {"attachments.0.mimeType": "jpeg"})
T.add("4.6", "a media type nobody knows", WITH_FILE, {"attachments.0.mimeType": "application/x-anything"})
T.add("4.6", "a voice message", WITH_FILE, {
    "attachments.0.mimeType": "audio/x-caf", "attachments.0.name": "Audio Message.caf"})
T.add("1.7", "twelve attachments", sent("text", {"body": "\ufffc" * 12, "attachments": [FILE] * 12}))
T.add("13.7", "an attachment of a typed serialiser", WITH_FILE, {"attachments.0.signature": None})
T.ignored("10.6", "an unknown key in an attachment", WITH_FILE, {"attachments.0.checksum": "abc"})
T.refused("4.5", "an attachment without key", WITH_FILE, {"attachments.0.key": GONE})
T.refused("4.5", "an attachment without url", WITH_FILE, {"attachments.0.url": GONE})
T.refused("4.5", "an attachment without any signature", WITH_FILE, {"attachments.0.signature-base64": GONE})
T.refused("8.7", "signature_base64", WITH_FILE, {
    "attachments.0.signature-base64": GONE,
    "attachments.0.signature_base64": "AZ60f1uOa5yYz6v1mS3mFqk2l0e9"})
T.refused("8.7", "signatureBase64", WITH_FILE, {
    "attachments.0.signature-base64": GONE,
    "attachments.0.signatureBase64": "AZ60f1uOa5yYz6v1mS3mFqk2l0e9"})
T.refused("1.7", "an attachment over 100 MB", WITH_FILE, {"attachments.0.size": "100000001"})

# 3.3: rich links.
LINK = sent("richLink", {"richLinkData": {
    "url": "https://www.example.com/shoes", "title": "Shoes", "assets": {
        "image": {"data": PICTURE, "mimeType": "image/png"},
        "video": {"url": "https://www.example.com/shoes.mp4", "mimeType": "video/mp4"}}}})
T.add("3.3", "a link with picture and video", LINK)
T.add("3.3", "a link with a picture", LINK, {"richLinkData.assets.video": GONE})
T.add("13.8", "a link with a video only", LINK, {"richLinkData.assets.image": GONE})
T.add("13.8", "a link without picture and video", LINK, {"richLinkData.assets": {}})
T.add("13.7", "a link whose picture is null", LINK, {"richLinkData.assets.image": None})
T.add("13.7", "a link whose video is null", LINK, {"richLinkData.assets.video": None})
T.add("3.3", "a link that is repeated as body", LINK, {"body": "https://www.example.com/shoes"})
T.add("13.5", "a link with a long body", LINK, {"body": "x" * 6000})
T.add("3.3", "video/mpeg", LINK, {"richLinkData.assets.video.mimeType": "video/mpeg"})
T.ignored("3.3", "a link with a scheme of its own", LINK, {"richLinkData.url": "shop://shoes"})
T.ignored("4.6", "image/jpg for a PNG", LINK, {"richLinkData.assets.image.mimeType": "image/jpg"})
T.ignored("10.6", "an unknown key in a link", LINK, {"richLinkData.description": "Warm"})
T.add("3.3", "a link that the gateway made", sent("richLink", {"richLinkDataRef": {
    "title": "Shoes", "signature-base64": "AZ60f1uOa5yYz6v1mS3mFqk2l0e9", "size": 4711,
    "url": "https://files.example.com/2", "owner": "M1", "key": "00" + "1f" * 32}}))
T.refused("3.3", "a link without url", LINK, {"richLinkData.url": GONE})
T.refused("3.3", "a link without title", LINK, {"richLinkData.title": GONE})
T.refused("3.3", "a picture without data", LINK, {"richLinkData.assets.image.data": GONE})
T.refused("3.3", "a link without richLinkData", LINK, {"richLinkData": GONE})

# 3.4: the common parts of interactive messages.
ITEM = {"identifier": "m", "title": "Medium", "subtitle": "For most", "order": 0, "style": "icon"}
LIST = asked("listPicker", {"sections": [
    {"title": "Sizes", "order": 0, "multipleSelection": False, "items": [
        ITEM, {**ITEM, "identifier": "l", "title": "Large", "order": 1}]}]})
T.add("3.5", "a list", LIST)
T.add("13.6", "mspVersion", LIST, {
    "interactiveData.data.version": GONE, "interactiveData.data.mspVersion": "1.0"})
T.add("3.4", "version and mspVersion", LIST, {"interactiveData.data.mspVersion": "1.0"})
T.add("3.4", "pictures", LIST, {
    "interactiveData.data.images": [{"identifier": "p", "data": PICTURE, "description": "A cup"}],
    "interactiveData.receivedMessage.imageIdentifier": "p"})
T.add("10.6", "images that are empty", LIST, {"interactiveData.data.images": []})
T.add("13.7", "images that are null", LIST, {"interactiveData.data.images": None})
T.add("10.6", "no replyMessage", LIST, {"interactiveData.replyMessage": GONE})
T.add("13.7", "a replyMessage that is null", LIST, {"interactiveData.replyMessage": None})
T.add("3.4", "sessionIdentifier and useLiveLayout", LIST, {
    "interactiveData.sessionIdentifier": "3F6A2C1D-2222-7B8C-9D0E-000000000001",
    "interactiveData.useLiveLayout": True})
T.add("13.7", "a session of a typed serialiser", LIST, {
    "interactiveData.sessionIdentifier": None, "interactiveData.useLiveLayout": None,
    "interactiveData.appId": None, "interactiveData.appName": None, "interactiveData.appIcon": None,
    "interactiveData.URL": None})
T.ignored("13.7", "a session that is empty", LIST, {"interactiveData.sessionIdentifier": ""})
T.add("13.7", "all features of a typed serialiser", LIST, {
    f"interactiveData.data.{name}": None
    for name in ("event", "payment", "authenticate", "quick-reply", "dynamic", "notification")})
T.add("13.7", "a bubble of a typed serialiser", LIST, {
    f"interactiveData.receivedMessage.{name}": None for name in (
        "subtitle", "imageIdentifier", "style", "imageTitle", "imageSubtitle", "secondarySubtitle",
        "tertiarySubtitle", "alternateTitle")})
T.ignored("13.7", "a bubble with empty texts of an app's", LIST, {
    f"interactiveData.receivedMessage.{name}": "" for name in (
        "imageTitle", "imageSubtitle", "secondarySubtitle", "tertiarySubtitle")})
T.add("13.7", "a subtitle that is empty", LIST, {"interactiveData.receivedMessage.subtitle": ""})
T.ignored("13.19", "an empty style", LIST, {"interactiveData.receivedMessage.style": ""})
T.ignored("13.19", "the style default", LIST, {"interactiveData.receivedMessage.style": "default"})
T.ignored("13.19", "an empty style of the answer", LIST, {"interactiveData.replyMessage.style": ""})
T.ignored("10.6", "an empty picture name", LIST, {"interactiveData.receivedMessage.imageIdentifier": ""})
T.ignored("13.19", "a picture that is not there", LIST, {
    "interactiveData.receivedMessage.imageIdentifier": "logo"})
T.ignored("13.19", "a picture of an item that is not there", LIST, {
    "interactiveData.data.listPicker.sections.0.items.0.imageIdentifier": "cup"})
T.ignored("10.6", "an unknown key in data", LIST, {"interactiveData.data.tenant": "shop"})
T.ignored("10.6", "an unknown key in interactiveData", LIST, {"interactiveData.summaryText": "Choose"})
T.ignored("1.7", "a title of 600 characters", LIST, {"interactiveData.receivedMessage.title": "x" * 600})
T.add("3.4", "an identifier of 600 characters", LIST, {
    "interactiveData.data.requestIdentifier": "r" * 600})
T.add("3.4", "a request that is no UUID", LIST, {"interactiveData.data.requestIdentifier": "order 42"})
T.refused("3.4", "neither version nor mspVersion", LIST, {"interactiveData.data.version": GONE})
T.refused("3.4", "no requestIdentifier", LIST, {"interactiveData.data.requestIdentifier": GONE})
T.refused("3.4", "no bid", LIST, {"interactiveData.bid": GONE})
T.refused("3.4", "no receivedMessage in a list", LIST, {"interactiveData.receivedMessage": GONE})
T.refused("3.4.1", "a bubble without title", LIST, {"interactiveData.receivedMessage.title": GONE})
T.refused("3.4", "no data", LIST, {"interactiveData.data": GONE})
T.refused("10.4", "data without a feature", LIST, {"interactiveData.data.listPicker": GONE})
T.refused("10.4", "two features", LIST, {"interactiveData.data.quick-reply": {"items": [
    {"identifier": "1", "title": "Yes"}, {"identifier": "2", "title": "No"}]}})
T.refused("3.4", "a feature called list-picker", LIST, {
    "interactiveData.data.list-picker": {"sections": []}, "interactiveData.data.listPicker": GONE})

# 3.5: lists.
S = "interactiveData.data.listPicker.sections.0"
T.add("3.5", "the style default of an item", LIST, {f"{S}.items.0.style": "default"})
T.ignored("13.19", "an empty style of an item", LIST, {f"{S}.items.0.style": ""})
T.add("13.7", "an item of a typed serialiser", LIST, {
    f"{S}.items.0.{name}": None for name in ("subtitle", "imageIdentifier", "style", "order")})
T.add("13.19", "a section without title", LIST, {f"{S}.title": GONE})
T.add("13.19", "a section with an empty title", LIST, {f"{S}.title": ""})
T.add("13.7", "a section whose title is null", LIST, {f"{S}.title": None})
T.add("3.5", "a section without order and multipleSelection", LIST, {
    f"{S}.order": GONE, f"{S}.multipleSelection": GONE})
T.add("3.5", "several to choose", LIST, {f"{S}.multipleSelection": True})
T.add("3.5", "order as 1.0", LIST, {f"{S}.order": 1.0})
T.add("10.6", "order as text", LIST, {f"{S}.items.0.order": "0"})
T.add("10.6", "an identifier twice", LIST, {f"{S}.items.1.identifier": "m"})
T.ignored("3.5", "title and multipleSelection of a demo's picker", LIST, {
    "interactiveData.data.listPicker.title": "Sizes",
    "interactiveData.data.listPicker.multipleSelection": False})
T.add("1.7", "30 sections of 30 items", LIST, {"interactiveData.data.listPicker.sections": [
    {"title": f"S{s}", "order": s, "items": [
        {"identifier": f"{s}-{i}", "title": "x", "order": i} for i in range(30)]}
    for s in range(30)]})
T.add("1.7", "150 sections", LIST, {"interactiveData.data.listPicker.sections": [
    {"title": f"S{s}", "items": [{"identifier": f"{s}", "title": "x"}]} for s in range(150)]})
T.add("1.7", "600 items", LIST, {f"{S}.items": [
    {"identifier": f"{i}", "title": "x", "order": i} for i in range(600)]})
T.ignored("10.6", "300 items with two unknown keys each", LIST, {f"{S}.items": [
    {"identifier": f"{i}", "title": "x", "price": i, "stock": None or 1} for i in range(300)]})
T.refused("3.5", "no sections", LIST, {"interactiveData.data.listPicker.sections": []})
T.refused("3.5", "a section without items", LIST, {f"{S}.items": []})
T.refused("3.5", "an item without identifier", LIST, {f"{S}.items.0.identifier": GONE})
T.refused("3.5", "an item without title", LIST, {f"{S}.items.0.title": GONE})
T.refused("3.5", "sections that are an object", LIST, {"interactiveData.data.listPicker.sections": {}})

# 3.8: times.
TIMES = asked("event", {
    "identifier": "fitting", "title": "Fitting", "timezoneOffset": 540,
    "location": {"title": "Main Street 1", "latitude": 35.6586, "longitude": 139.7454, "radius": 100},
    "timeslots": [{"identifier": "a", "startTime": "2026-12-01T01:00+0000", "duration": 3600},
                  {"identifier": "b", "startTime": "2026-12-01T02:00+0000", "duration": 3600}]})
E = "interactiveData.data.event"
T.add("3.8", "times", TIMES)
for text in ("2026-12-01T01:27:55+00:00", "2026-12-01T01:27:55+0000", "2026-12-01T01:27:55Z",
             "2026-12-01T01:00Z", "2026-12-01T01:27:55.000Z", "2026-12-01T01:27:55.123456+00:00"):
    T.add("3.8", f"a start as {text}", TIMES, {f"{E}.timeslots.0.startTime": text})
T.add("13.19", "a start with another offset", TIMES, {
    f"{E}.timeslots.0.startTime": "2026-12-01T09:00+0900"})
T.add("13.19", "a start with another offset and a colon", TIMES, {
    f"{E}.timeslots.0.startTime": "2026-12-01T09:00:00+09:00"})
T.add("13.19", "a start west of Greenwich", TIMES, {f"{E}.timeslots.0.startTime": "2026-11-30T20:00-0500"})
T.add("13.19", "an event without name", TIMES, {f"{E}.identifier": ""})
T.add("10.6", "an event with an empty title", TIMES, {f"{E}.title": ""})
T.add("13.7", "an event whose title is null", TIMES, {f"{E}.title": None})
T.add("3.8", "an event without title", TIMES, {f"{E}.title": GONE})
T.add("3.8", "an event without place and zone", TIMES, {f"{E}.location": GONE, f"{E}.timezoneOffset": GONE})
T.add("13.7", "an event of a typed serialiser", TIMES, {
    f"{E}.{name}": None for name in ("location", "timezoneOffset", "imageIdentifier")})
T.add("10.6", "the radius as text", TIMES, {f"{E}.location.radius": "100"})
T.add("10.6", "the duration as text", TIMES, {f"{E}.timeslots.0.duration": "3600"})
T.add("3.8", "the duration as 3600.0", TIMES, {f"{E}.timeslots.0.duration": 3600.0})
T.add("3.8", "a place without position", TIMES, {f"{E}.location": {"title": "Main Street 1"}})
T.add("13.7", "a place whose title is null", TIMES, {f"{E}.location.title": None})
T.ignored("13.7", "a place that is empty", TIMES, {f"{E}.location": {}})
T.add("10.6", "position and zone as text", TIMES, {
    f"{E}.location.latitude": "35.6586", f"{E}.location.longitude": "139.7454",
    f"{E}.timezoneOffset": "540"})
T.ignored("13.7", "a duration of 0", TIMES, {f"{E}.timeslots.0.duration": 0})
T.ignored("3.8", "a radius without position", TIMES, {f"{E}.location": {"title": "Shop", "radius": 100}})
T.ignored("3.8", "a slot in the past", TIMES, {f"{E}.timeslots.0.startTime": "2020-01-01T00:00+0000"})
T.add("3.8", "slots that overlap", TIMES, {f"{E}.timeslots.1.startTime": "2026-12-01T01:30+0000"})
T.add("10.6", "a slot's name twice", TIMES, {f"{E}.timeslots.1.identifier": "a"})
T.add("3.8", "a slot of 60 days", TIMES, {f"{E}.timeslots.0.duration": 5184000})
T.ignored("10.6", "an unknown key in a slot", TIMES, {f"{E}.timeslots.0.available": True})
T.refused("13.10", "data.timePicker.event", TIMES, {
    "interactiveData.data.timePicker": {"event": TIMES["interactiveData"]["data"]["event"]}, E: GONE})
T.refused("13.10", "data.timePicker", TIMES, {
    "interactiveData.data.timePicker": TIMES["interactiveData"]["data"]["event"], E: GONE})
T.refused("3.8", "no slots", TIMES, {f"{E}.timeslots": GONE})
T.refused("3.8", "a slot without start", TIMES, {f"{E}.timeslots.0.startTime": GONE})
T.refused("3.8", "a slot without identifier", TIMES, {f"{E}.timeslots.0.identifier": GONE})
T.refused("3.8", "a start that is no time", TIMES, {f"{E}.timeslots.0.startTime": "tomorrow at nine"})
T.refused("3.8", "a start as a number", TIMES, {f"{E}.timeslots.0.startTime": 1796086800})

# 3.9: quick replies.
QUICK = asked("quick-reply", {"summaryText": "Did that help?", "items": [
    {"identifier": "yes", "title": "Yes"}, {"identifier": "no", "title": "No"}]})
Q = "interactiveData.data.quick-reply"
BARE = {"interactiveData.receivedMessage": GONE, "interactiveData.replyMessage": GONE}
T.add("3.9", "a quick reply as the tutorial has it", QUICK, BARE)
T.add("3.9", "a quick reply with bubbles", QUICK)
T.add("13.7", "a quick reply of a typed serialiser", QUICK, {
    "interactiveData.receivedMessage": None, "interactiveData.replyMessage": None})
T.ignored("13.7", "empty bubbles of a typed serialiser", QUICK, {
    "interactiveData.receivedMessage": {"title": "", "subtitle": "", "style": "", "imageIdentifier": ""},
    "interactiveData.replyMessage": {"title": "", "subtitle": "", "style": "", "imageIdentifier": ""}})
T.add("3.9", "bubbles without members", QUICK, {
    "interactiveData.receivedMessage": {}, "interactiveData.replyMessage": {}})
T.ignored("10.6", "a selectedIndex", QUICK, {**BARE, f"{Q}.selectedIndex": 0})
T.add("10.6", "an answer's name twice", QUICK, {f"{Q}.items.1.identifier": "yes"})
T.add("3.9", "five answers", QUICK, {f"{Q}.items": [
    {"identifier": f"{i}", "title": f"{i}"} for i in range(5)]})
T.ignored("10.6", "an unknown key in an answer", QUICK, {f"{Q}.items.0.imageIdentifier": None or "x"})
T.refused("13.10", "data.quickReply", QUICK, {
    "interactiveData.data.quickReply": QUICK["interactiveData"]["data"]["quick-reply"], Q: GONE})
T.refused("13.10", "data.quick_reply", QUICK, {
    "interactiveData.data.quick_reply": QUICK["interactiveData"]["data"]["quick-reply"], Q: GONE})
T.refused("3.9", "one answer", QUICK, {f"{Q}.items": [{"identifier": "yes", "title": "Yes"}]})
T.refused("3.9", "six answers", QUICK, {f"{Q}.items": [
    {"identifier": f"{i}", "title": f"{i}"} for i in range(6)]})
T.refused("3.9", "no answers", QUICK, {f"{Q}.items": GONE})

# 3.10: apps.
OWN = sent("interactive", {"interactiveData": {
    "bid": APP, "appId": 1234567890, "appName": "Example Shop", "URL": "?order=42&step=size",
    "sessionIdentifier": "9c1b2f5e-1111-4a6b-9d0a-000000000006", "useLiveLayout": True,
    "receivedMessage": {"title": "Design your shoe", "subtitle": "Tap", "imageTitle": "New",
                        "imageSubtitle": "x", "secondarySubtitle": "$80", "tertiarySubtitle": "y"}},
    "attachments": []})
T.add("3.10", "an app", OWN)
T.add("3.10", "an app's id as text", OWN, {"interactiveData.appId": "1234567890"})
T.add("13.7", "an app whose data is null", OWN, {"interactiveData.data": None})
T.add("13.7", "an app's members that are null", OWN, {
    "interactiveData.appIcon": None, "interactiveData.replyMessage": None,
    "interactiveData.sessionIdentifier": None, "interactiveData.receivedMessage.subtitle": None})
T.add("3.10", "an app's icon", OWN, {"interactiveData.appIcon": PICTURE})
T.ignored("10.6", "an app with pictures beside it", OWN, {"interactiveData.images": []})
T.refused("3.10", "an app with data", OWN, {"interactiveData.data": {"a": 1}})
T.refused("3.10", "an app with empty data", OWN, {"interactiveData.data": {}})
T.refused("3.10", "an app without id", OWN, {"interactiveData.appId": GONE})
T.refused("3.10", "an app without name", OWN, {"interactiveData.appName": GONE})
T.refused("3.10", "an app without URL", OWN, {"interactiveData.URL": GONE})
T.refused("1.7", "an app's URL over 64 KB", OWN, {"interactiveData.URL": "?" + "x" * 65_536})
T.refused("3.10", "an app without bubble", OWN, {"interactiveData.receivedMessage": GONE})

# 3.13: references.
REFERENCE = sent("interactive", {"interactiveDataRef": {
    "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
           "com.apple.icloud.apps.messages.business.extension",
    "owner": "M1", "url": "https://files.example.com/3", "size": 20480, "signature": "81" + "ab" * 20,
    "signature-base64": "gaurq6urq6urq6urq6urq6urq6ur", "title": "Choose", "dataRefSig": "c2lnbmVk",
    "key": "00" + "2e" * 32}})
T.add("3.13", "a reference", REFERENCE)
T.add("3.13", "a signed reference without its key", REFERENCE, {"interactiveDataRef.key": GONE})
T.add("3.13", "a reference with its size as text", REFERENCE, {"interactiveDataRef.size": "20480"})
T.add("13.7", "a reference beside data that is null", REFERENCE, {"interactiveData": None})
T.ignored("10.6", "an unknown key in a reference", REFERENCE, {"interactiveDataRef.v": 1})
T.refused("3.13", "a reference without url", REFERENCE, {"interactiveDataRef.url": GONE})
T.refused("10.4", "neither data nor reference", REFERENCE, {"interactiveDataRef": GONE})
