"""Outbound cases: payments, sign-ins, forms and invitations."""

import base64

from support.channel import GONE, PICTURE, Table, asked

T = Table("outbound")

# 3.6: payments.
PAYMENT = asked("payment", {
    "paymentRequest": {
        "applePay": {"merchantIdentifier": "merchant.com.example.shop",
                     "supportedNetworks": ["amex", "visa", "discover", "masterCard"],
                     "merchantCapabilities": ["supports3DS", "supportsCredit", "supportsDebit"]},
        "merchantName": "Example Shop", "countryCode": "US", "currencyCode": "USD",
        "lineItems": [{"label": "Coffee", "amount": "10.00", "type": "final"},
                      {"label": "Discount", "amount": "-1.00", "type": "final"}],
        "total": {"label": "Example Shop", "amount": "9.00", "type": "final"},
        "requiredBillingContactFields": ["post"],
        "requiredShippingContactFields": ["post", "phone", "email", "name"],
        "shippingMethods": [{"identifier": "s", "label": "Ship", "detail": "3 days", "amount": "0.00"}],
        "supportedCountries": ["US", "JP"]},
    "merchantSession": {"merchantSessionIdentifier": "SSH", "nonce": "n", "initiative": "messaging",
                        "initiativeContext": "https://shop.example.com/pay", "displayName": "Shop"},
    "endpoints": {"paymentGatewayUrl": "https://shop.example.com/pay/gateway",
                  "fallbackUrl": "https://shop.example.com/fallback",
                  "orderTrackingUrl": "https://shop.example.com/track",
                  "paymentMethodUpdateUrl": "https://shop.example.com/method",
                  "shippingContactUpdateUrl": "https://shop.example.com/contact",
                  "shippingMethodUpdateUrl": "https://shop.example.com/shipping"}})
P = "interactiveData.data.payment"
R = f"{P}.paymentRequest"
T.add("3.6", "a payment", PAYMENT)
T.add("3.6", "a payment without replyMessage", PAYMENT, {"interactiveData.replyMessage": GONE})
T.add("13.11", "a host alone as context", PAYMENT, {
    f"{P}.merchantSession.initiativeContext": "shop.example.com"})
T.add("13.11", "the context in capitals", PAYMENT, {
    f"{P}.merchantSession.initiativeContext": "HTTPS://SHOP.EXAMPLE.COM/pay"})
T.add("13.11", "the context with the port of https", PAYMENT, {
    f"{P}.merchantSession.initiativeContext": "https://shop.example.com:443"})
T.add("13.11", "a session without context", PAYMENT, {
    f"{P}.merchantSession": {"merchantSessionIdentifier": "SSH"}})
T.refused("13.11", "a context of another host", PAYMENT, {
    f"{P}.merchantSession.initiativeContext": "https://pay.example.net/pay"})
T.refused("13.11", "another host alone as context", PAYMENT, {
    f"{P}.merchantSession.initiativeContext": "pay.example.net"})
T.add("13.19", "capabilities without 3DS", PAYMENT, {f"{R}.applePay.merchantCapabilities": ["supportsDebit"]})
T.add("3.6", "postalAddress", PAYMENT, {f"{R}.requiredShippingContactFields": ["postalAddress", "name"]})
T.add("3.6", "phoneticName", PAYMENT, {f"{R}.requiredShippingContactFields": ["phoneticName"]})
T.add("3.6", "no contact fields", PAYMENT, {f"{R}.requiredBillingContactFields": []})
T.add("3.6", "further networks", PAYMENT, {f"{R}.applePay.supportedNetworks": [
    "jcb", "chinaUnionPay", "interac", "privateLabel", "eftpos", "cartesBancaires", "mada"]})
T.ignored("3.6", "a network that nobody knows", PAYMENT, {
    f"{R}.applePay.supportedNetworks": ["visa", "diners"]})
T.add("3.6", "an amount with one decimal", PAYMENT, {f"{R}.total.amount": "9.0"})
T.add("3.6", "a whole amount", PAYMENT, {f"{R}.total.amount": "9"})
T.ignored("10.5", "a total that is not the sum", PAYMENT, {f"{R}.total.amount": "12.00"})
T.add("13.7", "a payment of a typed serialiser", PAYMENT, {
    **{f"{R}.{name}": None for name in (
        "merchantName", "lineItems", "requiredBillingContactFields", "requiredShippingContactFields",
        "shippingMethods", "supportedCountries")},
    **{f"{P}.endpoints.{name}": None for name in (
        "fallbackUrl", "orderTrackingUrl", "paymentMethodUpdateUrl", "shippingContactUpdateUrl",
        "shippingMethodUpdateUrl")}})
T.add("3.6", "no line items", PAYMENT, {f"{R}.lineItems": GONE})
T.add("3.6", "a line without type", PAYMENT, {f"{R}.lineItems.0.type": GONE})
T.add("3.6", "a pending line", PAYMENT, {f"{R}.lineItems.0.type": "pending"})
T.add("3.6", "a shipping method without detail", PAYMENT, {f"{R}.shippingMethods.0.detail": GONE})
T.add("3.6", "a fallback without encryption", PAYMENT, {f"{P}.endpoints.fallbackUrl": "http://example.com"})
T.ignored("13.7", "endpoints that are empty", PAYMENT, {f"{P}.endpoints.orderTrackingUrl": ""})
T.ignored("10.6", "an unknown key in a payment", PAYMENT, {f"{R}.couponCode": "X"})
T.refused("3.6", "line items that are empty", PAYMENT, {f"{R}.lineItems": []})
T.refused("3.6", "nothing to pay", PAYMENT, {f"{R}.total.amount": "0.00"})
T.refused("3.6", "an amount as a number", PAYMENT, {f"{R}.total.amount": 9})
T.refused("3.6", "no total", PAYMENT, {f"{R}.total": GONE})
T.refused("3.6", "no merchant session", PAYMENT, {f"{P}.merchantSession": GONE})
T.refused("3.6", "no endpoints", PAYMENT, {f"{P}.endpoints": GONE})
T.refused("3.6", "a gateway without encryption", PAYMENT, {
    f"{P}.endpoints.paymentGatewayUrl": "http://shop.example.com/pay"})
T.refused("3.6", "no networks", PAYMENT, {f"{R}.applePay.supportedNetworks": GONE})
T.refused("3.6", "no country", PAYMENT, {f"{R}.countryCode": GONE})

# 3.7: sign-ins.
# 97 bytes that begin with 04.
KEY = base64.b64encode(b"\x04" + b"k" * 96).decode()
SIGN_IN = asked("authenticate", {"oauth2": {
    "responseType": "code", "scope": ["profile"], "state": "mJ0c1v2Qe5",
    "redirectURI": "https://shop.example.com/signed-in"}})
A = "interactiveData.data.authenticate.oauth2"
V1 = {f"{A}.redirectURI": GONE, f"{A}.clientSecret": "secret", f"{A}.responseEncryptionKey": KEY}
T.add("3.7", "a sign-in of version 1.0 with redirectURI", SIGN_IN)
T.add("3.7", "a sign-in of version 2.0", SIGN_IN, {"interactiveData.data.version": "2.0"})
T.add("3.7", "a sign-in of the first version", SIGN_IN, V1)
T.add("3.7", "the first version without secret", SIGN_IN, {**V1, f"{A}.clientSecret": None})
T.add("3.7", "the first version with token", SIGN_IN, {**V1, f"{A}.responseType": "token"})
T.add("3.7", "images that are empty in a sign-in", SIGN_IN, {"interactiveData.data.images": []})
T.add("13.7", "a sign-in of a typed serialiser", SIGN_IN, {
    f"{A}.clientSecret": None, f"{A}.responseEncryptionKey": None})
T.ignored("3.7", "a client's id", SIGN_IN, {f"{A}.clientId": "shop"})
T.ignored("3.7", "members of both versions", SIGN_IN, {**V1, f"{A}.redirectURI": "https://example.com/in"})
T.ignored("3.7", "additionalParameters", SIGN_IN, {f"{A}.additionalParameters": {"prompt": "login"}})
T.ignored("2.4", "an encryption key that is none", SIGN_IN, {**V1, f"{A}.responseEncryptionKey": "a2V5"})
T.refused("3.7", "a sign-in without state", SIGN_IN, {f"{A}.state": GONE})
T.refused("3.7", "a sign-in without responseType", SIGN_IN, {f"{A}.responseType": GONE})
T.refused("3.7", "a sign-in without scope", SIGN_IN, {f"{A}.scope": GONE})
T.refused("3.7", "a sign-in without redirectURI and key", SIGN_IN, {f"{A}.redirectURI": GONE})
T.refused("3.7", "a redirectURI without encryption", SIGN_IN, {f"{A}.redirectURI": "http://example.com/in"})
T.refused("3.7", "a scope that is a text", SIGN_IN, {f"{A}.scope": "profile"})

# 3.11: forms.
FORM = asked("dynamic", {"version": "1.2", "template": "messageForms", "data": {
    "splash": {"header": "Feedback", "splashtext": "Five questions", "buttonTitle": "Begin"},
    "startPageIdentifier": "0", "showSummary": True, "pages": [
        {"pageIdentifier": "0", "type": "select", "title": "Shop", "subtitle": "Which?",
         "multipleSelection": False, "items": [
             {"title": "North", "value": "n", "identifier": "n", "nextPageIdentifier": "1"},
             {"title": "South", "value": "s", "identifier": "s", "nextPageIdentifier": "2"}]},
        {"pageIdentifier": "1", "type": "picker", "title": "Floor", "subtitle": "Which?",
         "pickerTitle": "", "selectedItemIndex": 1, "nextPageIdentifier": "2", "items": [
             {"title": "One", "value": "1", "identifier": "1"},
             {"title": "Two", "value": "2", "identifier": "2"}]},
        {"pageIdentifier": "2", "type": "datePicker", "title": "Day", "subtitle": "When?",
         "hintText": "", "nextPageIdentifier": "3", "options": {
             "dateFormat": "MM/dd/yyyy", "startDate": "01/02/2027", "minimumDate": "01/01/2027",
             "maximumDate": "12/31/2027", "labelText": "Date"}},
        {"pageIdentifier": "3", "type": "input", "title": "Mail", "subtitle": "Which address?",
         "submitForm": True, "options": {
             "regex": "", "placeholder": "Required", "required": True, "inputType": "singleline",
             "labelText": "", "prefixText": "", "maximumCharacterCount": 100,
             "keyboardType": "emailAddress", "textContentType": "emailAddress"}}]}})
D = "interactiveData.data.dynamic"
G = f"{D}.data.pages"
T.add("3.11", "a form", FORM)
T.add("13.19", "a form without version", FORM, {f"{D}.version": GONE})
T.add("13.7", "a form whose version is null", FORM, {f"{D}.version": None})
T.add("3.11", "a form of version 1.1", FORM, {f"{D}.version": "1.1"})
T.add("3.11", "the template form", FORM, {f"{D}.version": "1.1", f"{D}.template": "form"})
T.add("3.11", "a private form", FORM, {f"{D}.private": False})
T.add("3.11", "a form without splash and summary", FORM, {
    f"{D}.data.splash": GONE, f"{D}.data.showSummary": GONE})
T.add("13.7", "nextPageIdentifier that is null", FORM, {
    f"{G}.0.nextPageIdentifier": None, f"{G}.3.nextPageIdentifier": None,
    f"{G}.0.items.0.imageIdentifier": None})
T.add("13.7", "the last page's nextPageIdentifier is null, no submitForm", FORM, {
    f"{G}.3.nextPageIdentifier": None, f"{G}.3.submitForm": None})
T.add("13.7", "pages of a typed serialiser", FORM, {
    **{f"{G}.3.{name}": None for name in (
        "items", "multipleSelection", "pickerTitle", "selectedItemIndex", "hintText")},
    **{f"{G}.1.{name}": None for name in ("options", "hintText", "submitForm", "multipleSelection")},
    f"{D}.data.splash": None})
T.ignored("13.7", "explicit defaults on a page of another type", FORM, {
    f"{G}.3.multipleSelection": False, f"{G}.3.selectedItemIndex": 0, f"{G}.3.pickerTitle": ""})
T.ignored("13.7", "an empty nextPageIdentifier", FORM, {f"{G}.3.nextPageIdentifier": ""})
T.add("13.7", "options that are null", FORM, {f"{G}.3.options": None})
T.add("13.7", "options of a typed serialiser", FORM, {
    f"{G}.3.options.{name}": None for name in (
        "regex", "placeholder", "labelText", "prefixText", "maximumCharacterCount", "keyboardType",
        "textContentType", "inputType", "required")})
T.add("10.6", "selectedItemIndex as text", FORM, {f"{G}.1.selectedItemIndex": "1"})
T.add("3.11", "selectedItemIndex as 1.0", FORM, {f"{G}.1.selectedItemIndex": 1.0})
T.ignored("13.19", "an empty dateFormat", FORM, {
    f"{G}.2.options": {"dateFormat": "", "labelText": "Date"}})
T.ignored("13.19", "an empty dateFormat with dates", FORM, {f"{G}.2.options.dateFormat": ""})
T.add("3.11", "a date page without options", FORM, {f"{G}.2.options": GONE})
T.add("3.11", "a startDate with a time", FORM, {f"{G}.2.options.startDate": "2027-01-02 10:00:00"})
T.ignored("13.7", "empty dates", FORM, {
    f"{G}.2.options.startDate": "", f"{G}.2.options.minimumDate": "", f"{G}.2.options.maximumDate": ""})
for word in ("UIKeyboardTypeEmailAddress", "UIKeyboardTypeTwitter", "default", "webSearch", "twitter",
             "UIKeyboardTypeASCIICapableNumberPad"):
    T.add("3.11", f"the keyboard {word}", FORM, {f"{G}.3.options.keyboardType": word})
T.ignored("3.11", "a keyboard that nobody knows", FORM, {f"{G}.3.options.keyboardType": "emoji"})
T.ignored("3.11", "a content that nobody knows", FORM, {f"{G}.3.options.textContentType": "shoeSize"})
T.add("3.11", "20,000 characters", FORM, {f"{G}.3.options.maximumCharacterCount": 20000})
T.ignored("13.7", "options of a typed serialiser's defaults", FORM, {f"{G}.3.options": {
    "regex": "", "placeholder": "", "required": False, "inputType": "", "labelText": "", "prefixText": "",
    "maximumCharacterCount": 0, "keyboardType": "", "textContentType": ""}})
T.add("3.11", "several end pages", FORM, {f"{G}.1.submitForm": True})
T.add("3.11", "a page without title", FORM, {f"{G}.0.title": GONE})
T.add("3.11", "pageItems", FORM, {
    f"{G}.1.pageItems": [{"title": "One", "value": "1", "identifier": "1"}], f"{G}.1.items": GONE})
T.ignored("1.7", "a page name of 36 characters", FORM, {
    f"{D}.data.startPageIdentifier": "6f2d1c5e-0000-4000-8000-000000000001",
    f"{G}.0.pageIdentifier": "6f2d1c5e-0000-4000-8000-000000000001"})
T.ignored("13.19", "a page's picture that is not there", FORM, {f"{G}.0.items.0.imageIdentifier": "shop"})
T.ignored("10.6", "an unknown key in a form", FORM, {f"{D}.data.theme": "dark"})
T.ignored("10.6", "60 pages with three unknown keys each", FORM, {
    f"{D}.data.startPageIdentifier": "p0", f"{D}.data.pages": [
        {"pageIdentifier": f"p{i}", "type": "input", "subtitle": "?", "a": 1, "b": 2, "c": 3,
         **({"nextPageIdentifier": f"p{i + 1}"} if i < 59 else {})} for i in range(60)]})
T.refused("3.11", "a form without pages", FORM, {f"{D}.data.pages": []})
T.refused("3.11", "a form without data", FORM, {f"{D}.data": GONE})
T.refused("3.11", "a page without name", FORM, {f"{G}.0.pageIdentifier": GONE})
T.refused("3.11", "a page of no type", FORM, {f"{G}.0.type": GONE})
T.refused("3.11", "a page of an unknown type", FORM, {f"{G}.0.type": "slider"})

# 3.12: invitations.
INVITATION = asked("notification", {
    "templateId": "binaryChoice.engage.withImage", "referenceId": "order-42", "locale": "en-us",
    "parameters": {"brandName": "Example Shop", "brandLogo": PICTURE}}, useLiveLayout=True)
INVITATION["destinationId"] = "tel:+14085550123"
for bubble in ("receivedMessage", "replyMessage"):
    del INVITATION["interactiveData"][bubble]
N = "interactiveData.data.notification"
T.add("3.12", "an invitation", INVITATION)
T.add("13.15", "an invitation of the provider's", INVITATION, {
    "sourceId": "0b5a9b2e-7a41-4a0e-9c1d-2f3e4d5c6b7a"})
T.add("13.15", "an invitation of a provider without a UUID", INVITATION, {"sourceId": "example-msp"})
T.add("3.12", "an invitation without picture", INVITATION, {
    f"{N}.templateId": "binaryChoice.engage.noImage", f"{N}.parameters.brandLogo": GONE})
T.add("13.7", "a logo that is null", INVITATION, {
    f"{N}.templateId": "binaryChoice.engage.noImage", f"{N}.parameters.brandLogo": None})
T.add("13.7", "an invitation of a typed serialiser", INVITATION, {
    "interactiveData.receivedMessage": None, "interactiveData.replyMessage": None, "body": None,
    "interactiveData.sessionIdentifier": None})
T.ignored("10.6", "an unknown parameter", INVITATION, {f"{N}.parameters.orderNumber": "42"})
T.refused("3.12", "an invitation without template", INVITATION, {f"{N}.templateId": GONE})
T.refused("3.12", "an invitation without reference", INVITATION, {f"{N}.referenceId": GONE})
T.refused("3.12", "an invitation to no number", INVITATION, {"destinationId": "tel:14085550123x"})
