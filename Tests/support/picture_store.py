"""The store that the README's pictures are of: a tea shop's morning, the same each time but for its ids and times."""

from support.server import Customer

SHOP = "Harbour Teas"
# Who has written, as their contact is named, and what; the last one is on top.
OTHERS = [
    ("Mina Okafor", "Thank you, the parcel is here"),
    ("Luis Ferrer", "Do you sell the blue teapot without the cups?"),
    ("Noor Haddad", "Can I change the delivery to Saturday?"),
    ("Emma Lindqvist", "Is the tasting on Friday still on?"),
    ("田中 美咲", "抹茶の在庫はありますか?"),
    ("Piotr Nowak", "The invoice has the old address"),
    ("Grace Mbeki", "Which tea has no caffeine?"),
]
NAME = "Aiko Sato"
BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")


def tea_list():
    """A list picker of the shop."""
    teas = [("sencha", "Sencha", "First harvest, 100 g"), ("hojicha", "Hojicha", "Roasted, low in caffeine"),
            ("genmaicha", "Genmaicha", "With roasted rice")]
    return {"v": 1, "type": "interactive", "interactiveData": {
        "bid": BID,
        "data": {"version": "1.0", "requestIdentifier": "teas", "listPicker": {"sections": [
            {"title": "Teas of the week", "order": 0, "multipleSelection": True, "items": [
                {"identifier": name, "title": title, "subtitle": text, "order": order, "style": "default"}
                for order, (name, title, text) in enumerate(teas)]}]}},
        "receivedMessage": {"title": "Which tea shall we put aside?", "subtitle": "Choose one or more", "style": "icon"},
        "replyMessage": {"title": "Your choice"}}}


def seed(server):
    """Fills an installation through its API; returns the owner's session and the conversation to open."""
    owner = server.make_owner()
    business = next(one for one in owner.fetch("/api/businesses")["data"] if not one["isSandbox"])["id"]
    owner.call("PATCH", f"/api/businesses/{business}", {"name": SHOP, "colour": "#0e7c66"})
    labels = [owner.post(f"/api/businesses/{business}/labels", {"name": name, "colour": colour, "order": order}, expect=201)["id"]
              for order, (name, colour) in enumerate([("Order", "#0090ff"), ("Delivery", "#f76b15"), ("Regular", "#30a46c")])]

    def begin(name, text):
        customer = Customer(server, business)
        said = customer.say(text)["message"]["conversation"]
        shown = owner.fetch(f"/api/conversations/{said}")
        owner.call("PATCH", f"/api/businesses/{business}/contacts/{shown['contact']['id']}", {"name": name})
        return customer, said

    def answer(conversation, payload):
        return owner.post(f"/api/conversations/{conversation}/messages", payload, expect=201)

    def text(words):
        return {"v": 1, "type": "text", "body": words}

    for place, (name, words) in enumerate(OTHERS):
        _, other = begin(name, words)
        if place % 3 == 0:
            owner.call("PATCH", f"/api/conversations/{other}", {"labels": {"add": [labels[place // 3]]}})
    customer, opened = begin(NAME, "Good morning! Do you still have the green teas of last week?")
    owner.call("PATCH", f"/api/conversations/{opened}", {"labels": {"add": [labels[0], labels[2]]}, "priority": "high"})
    answer(opened, text("Good morning! Yes, three of them came in today."))
    asked = answer(opened, tea_list())
    customer.choose(asked["id"], list={"identifiers": ["sencha", "hojicha"]})
    answer(opened, text("I have put both aside. When would you like to come by?"))
    customer.say("On Thursday after work, if that suits you")
    return owner, opened
