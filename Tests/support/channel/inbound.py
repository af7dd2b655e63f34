"""Inbound cases: what devices and the channel send to a business."""

from support.channel import APP, BID, BUSINESS, GONE, PICTURE, Table, answered, received

T = Table("inbound")

# 2.1 to 2.3: envelope, text, signals, attachments.
TEXT = received("text", {"body": "Where is my order?"})
FILE = {"name": "IMG_1.HEIC", "mimeType": "image/heic", "size": 2048, "key": "00" + "AB" * 32,
        "url": "https://p54-content.example.com/1", "owner": "M6138", "signature": "81" + "CD" * 20}
WITH_FILE = received("text", {"body": "\ufffc", "attachments": [FILE]})
T.add("2.1", "a text", TEXT)
T.add("2.1", "a text with intent and group", TEXT, {"intent": "order", "group": "sales"})
T.add("13.7", "members that are null", TEXT, {
    "locale": None, "intent": None, "group": None, "attachments": None, "interactiveData": None})
T.add("2.1", "an empty intent", TEXT, {"intent": "", "group": ""})
T.add("2.1", "a locale with a calendar", TEXT, {"locale": "en_US@calendar=japanese"})
T.add("2.1", "a locale with a script", TEXT, {"locale": "zh-Hans_CN"})
T.add("2.1", "replyToMessageId", TEXT, {"replyToMessageId": "6f2d1c5e-0000-4000-8000-000000000001"})
T.add("2.1", "160 letters of base64", TEXT, {"sourceId": "urn:mbid:AQAAY" + "x" * 155})
T.add("10.2", "the prefix urn:biz:", TEXT, {"destinationId": "urn:biz:" + BUSINESS})
T.add("13.5", "a text of 6,000 characters", TEXT, {"body": "x" * 6000})
T.add("2.2", "a tapback", TEXT, {"body": "Liked \u201cWe close at nine\u201d"})
T.add("10.6", "a key nobody knows", TEXT, {"deviceAgent": "iPhone OS"})
T.add("2.2", "typing", received("typing_start", {}))
T.add("2.2", "the end of typing", received("typing_end", {}))
T.add("2.2", "close", received("close", {}))
T.add("2.1", "close after an invitation", received("close", {"referenceIds": ["order-42"]}))
T.add("13.7", "close with references that are null", received("close", {"referenceIds": None, "body": None}))
T.add("13.1", "an attachment", WITH_FILE)
T.add("2.3", "an attachment whose size is text", WITH_FILE, {"attachments.0.size": "2048"})
T.add("2.3", "an attachment with both signatures", WITH_FILE, {
    "attachments.0.signature-base64": "gc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3N"})
T.add("2.3", "hex in small letters", WITH_FILE, {
    "attachments.0.signature": "81" + "cd" * 20, "attachments.0.key": "00" + "ab" * 32})
T.add("13.3", "an attachment without name", WITH_FILE, {"attachments.0.name": GONE})
T.add("13.3", "an attachment with an empty name", WITH_FILE, {"attachments.0.name": ""})
T.add("13.3", "an attachment without media type", WITH_FILE, {"attachments.0.mimeType": GONE})
T.add("13.3", "an attachment without url", WITH_FILE, {"attachments.0.url": GONE})
T.add("13.3", "an attachment with a key that is none", WITH_FILE, {"attachments.0.key": "lost"})
T.add("13.3", "an attachment without signature", WITH_FILE, {"attachments.0.signature": GONE})
T.add("2.1", "two attachments without U+FFFC", WITH_FILE, {"body": "", "attachments": [FILE, FILE]})
T.add("1.7", "twenty attachments", WITH_FILE, {"body": "\ufffc" * 20, "attachments": [FILE] * 20})
T.add("4.6", "a voice message", WITH_FILE, {
    "attachments.0.mimeType": "audio/x-caf", "attachments.0.name": "Audio Message.caf"})
T.refused("2.1", "a rich link", received("richLink", {}))
T.refused("2.1", "no type", TEXT, {"type": GONE})
T.refused("2.1", "a customer that is none", TEXT, {"sourceId": "hana"})
T.refused("2.1", "v as text", TEXT, {"v": "1"})

# 2.4: answers.
LIST = answered("listPicker", {"sections": [
    {"title": "You Selected", "order": 0, "multipleSelection": False, "items": [
        {"identifier": "m", "title": "Medium", "subtitle": "For most", "order": 0, "style": "icon",
         "imageIdentifier": "p"}]},
    {"title": "Others", "order": 1, "multipleSelection": False, "items": [
        {"identifier": "l", "title": "Large", "order": 1}]}]},
    images=[{"identifier": "p", "data": PICTURE, "description": "A cup"}])
S = "interactiveData.data.listPicker.sections"
T.add("2.4", "an answered list", LIST)
T.add("13.12", "a list of version 1", LIST, {"interactiveData.data.version": "1"})
T.add("13.6", "a list of mspVersion", LIST, {
    "interactiveData.data.version": GONE, "interactiveData.data.mspVersion": "1.0"})
T.add("2.4", "a list whose pictures stayed behind", LIST, {"interactiveData.data.images": []})
T.add("2.4", "counters of a gateway", LIST, {
    f"{S}.0.selectedItemCount": 1, "interactiveData.data.listPicker.otherItemCount": 1})
T.add("2.5", "all were chosen", LIST, {f"{S}.1.items": []})
T.add("2.5", "only the chosen section", LIST, {S: [
    {"title": "You Selected", "items": [{"identifier": "m", "title": "Medium"}]}]})
T.add("13.19", "a section without title", LIST, {f"{S}.1.title": ""})
T.add("13.19", "an empty style", LIST, {
    "interactiveData.data.receivedMessage.style": "", "interactiveData.data.replyMessage.style": "default"})
T.add("10.6", "an empty picture name", LIST, {"interactiveData.data.replyMessage.imageIdentifier": ""})
T.add("10.6", "an identifier twice", LIST, {f"{S}.1.items.0.identifier": "m"})
T.add("2.4", "no receivedMessage", LIST, {"interactiveData.data.receivedMessage": GONE})
T.add("13.7", "members that are null in a list", LIST, {
    f"{S}.0.items.0.subtitle": None, f"{S}.0.items.0.imageIdentifier": None,
    "interactiveData.data.receivedMessage": None, "interactiveData.data.event": None,
    "interactiveDataRef": None})
T.add("2.4", "bubbles beside data too", LIST, {
    "interactiveData.receivedMessage": {"title": "Please choose"},
    "interactiveData.replyMessage": {"title": "Medium"}, "interactiveData.useLiveLayout": True})
T.add("1.7", "a title of 700 characters", LIST, {"interactiveData.data.replyMessage.title": "x" * 700})
T.add("2.5", "a session that is no UUID of version 4", LIST, {
    "interactiveData.sessionIdentifier": "3F6A2C1D-2222-0B8C-9D0E-000000000001"})
T.add("2.4", "no session", LIST, {"interactiveData.sessionIdentifier": GONE})
TIME = answered("event", {
    "identifier": "fitting", "title": "Fitting", "timezoneOffset": 540, "location": {},
    "timeslots": [{"identifier": "b", "startTime": "2026-12-01T02:00+0000", "duration": 3600}]})
E = "interactiveData.data.event"
T.add("2.4", "an answered time", TIME)
T.add("13.12", "a time of version 1", TIME, {"interactiveData.data.version": "1"})
T.add("2.4", "a time with its place", TIME, {f"{E}.location": {
    "title": "Main Street 1", "latitude": 35.6, "longitude": 139.7, "radius": "100"}})
T.add("13.19", "an event without name", TIME, {f"{E}.identifier": ""})
T.add("13.19", "a slot with another offset", TIME, {f"{E}.timeslots.0.startTime": "2026-12-01T11:00+0900"})
T.add("10.6", "a duration as text", TIME, {f"{E}.timeslots.0.duration": "3600"})
T.add("2.4", "an event without zone and place", TIME, {f"{E}.location": GONE, f"{E}.timezoneOffset": GONE})
T.add("13.7", "an event with nulls", TIME, {f"{E}.location": None, f"{E}.title": None})
T.add("2.4", "the nesting of old", TIME, {
    "interactiveData.data.timePicker": {"event": TIME["interactiveData"]["data"]["event"]}, E: GONE})
QUICK = answered("quick-reply", {"selectedIndex": 0, "selectedIdentifier": "yes", "items": [
    {"identifier": "yes", "title": "Yes"}, {"identifier": "no", "title": "No"}]})
Q = "interactiveData.data.quick-reply"
BARE = {"interactiveData.data.replyMessage": GONE, "interactiveData.data.receivedMessage": GONE}
T.add("13.9", "an answered quick reply", QUICK, BARE)
T.add("13.12", "a quick reply of version 1", QUICK, {**BARE, "interactiveData.data.version": "1"})
T.add("2.4", "a quick reply with bubbles", QUICK)
T.add("2.4", "a selectedIndex as text", QUICK, {**BARE, f"{Q}.selectedIndex": "0"})
T.add("2.4", "a selectedIndex as 0.0", QUICK, {**BARE, f"{Q}.selectedIndex": 0.0})
T.add("2.4", "a quick reply without items", QUICK, {**BARE, f"{Q}.items": GONE})
T.add("2.4", "a quick reply without index", QUICK, {**BARE, f"{Q}.selectedIndex": GONE})
T.add("10.6", "a quick reply with summaryText", QUICK, {**BARE, f"{Q}.summaryText": "Did that help?"})
FORM = answered("dynamic", {"version": "1.2", "template": "messageForms", "selections": [
    {"pageIdentifier": "0", "title": "Shop", "subtitle": "Which?", "items": [
        {"identifier": "n", "type": "select", "title": "North", "value": "n"}]},
    {"pageIdentifier": "2", "title": "Day", "subtitle": "When?", "items": [
        {"identifier": "2", "type": "datePicker", "title": "01/01/2024", "value": "2024-01-01T00:00:00Z"}]},
    {"pageIdentifier": "3", "title": "Mail", "subtitle": "Which address?", "items": [
        {"identifier": "3", "type": "input", "title": "a@b.example", "value": "a@b.example"}]}]})
D = "interactiveData.data.dynamic"
T.add("13.4", "an answered form", FORM)
T.add("13.12", "a form of version 1", FORM, {"interactiveData.data.version": "1"})
T.add("2.4", "a form without types", FORM, {f"{D}.selections.0.items.0.type": GONE})
T.add("2.4", "a form without identifiers", FORM, {f"{D}.selections.0.items.0.identifier": GONE})
T.add("2.4", "a form with its data", FORM, {f"{D}.data": {"pages": []}})
T.add("2.4", "a private form", FORM, {f"{D}.private": True})
T.add("13.19", "a form without its version", FORM, {f"{D}.version": GONE})
T.add("3.11", "an answered form of the template form", FORM, {f"{D}.template": "form"})
T.add("2.1", "a form with data and reference", FORM, {"interactiveDataRef": {
    "bid": BID, "url": "https://files.example.com/3", "owner": "M1", "key": "00" + "2e" * 32,
    "size": "20480", "signature": "81" + "ab" * 20, "title": "Please choose"}})
T.add("13.7", "a page without title", FORM, {f"{D}.selections.0.title": None})
T.add("2.4", "a page name of 36 characters", FORM, {
    f"{D}.selections.0.pageIdentifier": "6f2d1c5e-0000-4000-8000-000000000001"})
T.add("2.4", "nothing answered on a page", FORM, {f"{D}.selections.2.items": []})
T.add("2.4", "an empty answer", FORM, {
    f"{D}.selections.2.items": [{"identifier": "3", "type": "input", "title": "", "value": ""}]})
T.add("2.4", "an answer of 20,000 characters", FORM, {
    f"{D}.selections.2.items.0.title": "x" * 20_000, f"{D}.selections.2.items.0.value": "x" * 20_000})
SIGN_IN = answered("authenticate", {"status": "authenticated", "token": "AZ60f1uOa5yYz6v1mS3mFqk2l0e9"})
A = "interactiveData.data.authenticate"
T.add("2.4", "a sign-in", SIGN_IN)
T.add("3.7", "a sign-in of version 2.0", SIGN_IN, {
    "interactiveData.data.version": "2.0", f"{A}.token": GONE})
T.add("13.7", "a sign-in whose token and errors are null", SIGN_IN, {f"{A}.token": None, f"{A}.errors": None})
T.add("13.17", "a sign-in that failed", SIGN_IN, {
    A: {"status": "failed", "errors": [{"code": 1, "message": "Key is not UTF8",
                                        "domain": "com.apple.icloud.messages.business.cryptor"}]},
    "interactiveData.data.replyMessage": {
        "title": "Authentication Failed", "alternateTitle": "Authentication Failed", "style": "icon"}})
T.add("13.17", "a status of another word", SIGN_IN, {f"{A}.status": "succeeded"})
T.add("13.17", "a status that was canceled", SIGN_IN, {A: {"status": "canceled"}})
T.add("2.4", "errors that are few words", SIGN_IN, {A: {"status": "failed", "errors": [{"code": 0}]}})
T.add("2.4", "an empty token", SIGN_IN, {f"{A}.token": ""})
PAYMENT = answered("payment", {
    "state": "paymentNotCompleted",
    "paymentRequest": {"applePay": {"merchantIdentifier": "m", "supportedNetworks": ["visa"],
                                    "merchantCapabilities": ["supports3DS"]},
                       "countryCode": "US", "currencyCode": "USD",
                       "lineItems": [{"label": "Coffee", "amount": "9.5", "type": "Final"}],
                       "total": {"label": "Shop", "amount": "9.5", "type": "Final"}},
    "merchantSession": {"nonce": "n"}, "endpoints": {"fallbackUrl": "https://shop.example.com"}})
P = "interactiveData.data.payment"
T.add("13.13", "a payment that was not completed", PAYMENT)
T.add("2.4", "a payment that was", PAYMENT, {P: {"state": "success", "status": "STATUS_SUCCESS"}})
T.add("2.4", "a payment with more members", PAYMENT, {f"{P}.paymentToken": {"paymentMethod": {}}})
T.add("2.4", "a payment in another state", PAYMENT, {f"{P}.state": "paymentAuthorized"})
INVITED = answered("notification", {"id": "yes", "displayContent": {"determinateResponse": {
    "title": "Yes", "subtitle": "Please", "type": {"yes": {}}}}}, referenceId="order-42", version="1",
    requestIdentifier="tel:+14085550123")
for bubble in ("receivedMessage", "replyMessage"):
    del INVITED["interactiveData"]["data"][bubble]
T.add("2.4", "an answered invitation", INVITED)
T.add("2.4", "an answered invitation of 1.0", INVITED, {"interactiveData.data.version": "1.0"})
T.add("10.6", "an answered invitation with more", INVITED, {"interactiveData.data.notification.locale": "en"})
OWN = received("interactive", {"interactiveData": {
    "bid": APP, "appId": 1234567890, "appName": "Example Shop", "URL": "?order=42",
    "sessionIdentifier": "9c1b2f5e-1111-4a6b-9d0a-000000000006",
    "receivedMessage": {"title": "Design your shoe", "imageTitle": "New"}}})
T.add("2.4", "an app's answer", OWN)
T.add("3.10", "an app's id as text", OWN, {"interactiveData.appId": "1234567890"})
T.add("13.7", "an app's nulls", OWN, {
    "interactiveData.data": None, "interactiveData.appIcon": None, "interactiveData.replyMessage": None})
T.add("2.5", "an app's picture as an attachment", OWN, {"attachments": [FILE]})
T.add("2.4", "an app's bubble without title", OWN, {"interactiveData.receivedMessage": {"subtitle": "x"}})
T.refused("2.4", "an answer without bid", LIST, {"interactiveData.bid": GONE})
T.refused("2.4", "an answer without anything", LIST, {"interactiveData": GONE})

# 2.5: references.
REFERENCE = received("interactive", {"interactiveDataRef": {
    "bid": BID, "url": "https://files.example.com/3", "owner": "M1", "key": "00" + "2e" * 32,
    "size": "20480", "signature": "81" + "ab" * 20,
    "signature-base64": "gaurq6urq6urq6urq6urq6urq6ur", "title": "Please choose"}})
T.add("13.1", "a reference", REFERENCE)
T.add("2.5", "a reference whose size is a number", REFERENCE, {"interactiveDataRef.size": 20480})
T.add("2.5", "a reference without base64", REFERENCE, {"interactiveDataRef.signature-base64": GONE})
T.add("13.7", "a reference beside null", REFERENCE, {"interactiveData": None, "attachments": None})
T.add("2.5", "a reference without title", REFERENCE, {"interactiveDataRef.title": GONE})
T.add("10.6", "a reference with more", REFERENCE, {"interactiveDataRef.expires": "soon"})
T.refused("2.5", "a reference without url", REFERENCE, {"interactiveDataRef.url": GONE})
