import assert from "node:assert/strict";
import { test } from "node:test";

import en from "../../web/i18n/en/console.js";
import thread from "../../web/i18n/en/thread.js";
import { authorLead, customerLetters, customerName } from "../../web/console/names.js";
import { registerStrings } from "../../web/lib/i18n.js";
import { initials } from "../../web/lib/names.js";

registerStrings({ en: { ...en, ...thread }, ja: en });

test("a line of a list names the author of a message to the customer, and none for the customer's own", () => {
  const own = { type: "agent", id: "1", name: "Ada" };
  const rows = [
    [{ direction: "outbound", author: own }, "You: "],
    [{ direction: "outbound", author: { type: "agent", id: "2", name: "Bo" } }, "Bo: "],
    [{ direction: "outbound", author: { type: "key", id: "1", name: "shop" } }, "shop: "],
    [{ direction: "inbound", author: { type: "customer", id: "c", name: null } }, ""],
    [{ direction: "inbound", author: { type: "script", id: "s", name: "scripted-customer" } }, ""],
    [{ direction: "outbound", author: { type: "server", id: "", name: null } }, "Automatic answer: "],
    [{ direction: "outbound" }, ""],
  ];
  for (const [message, lead] of rows) assert.equal(authorLead(message, "1"), lead, JSON.stringify(message));
});

test("a conversation is called by its contact's name, then the customer's own, then the end of the id", () => {
  const customer = { id: "urn:mbid:AAAxyz9=", name: "Mika" };
  const rows = [
    [{ customer, contact: { id: "1", name: "Mrs Sato" } }, "Mrs Sato", "MS"],
    [{ customer, contact: { id: "1", name: null } }, "Mika", "M"],
    [{ customer }, "Mika", "M"],
    [{ customer: { ...customer, name: null }, contact: { id: "1", name: "Sato" } }, "Sato", "S"],
  ];
  for (const [conversation, name, letters] of rows) {
    assert.equal(customerName(conversation), name);
    assert.equal(customerLetters(conversation), letters);
  }
  assert.equal(customerLetters({ customer: { ...customer, name: null } }), "XY");
});

test("a customer of WhatsApp without a name is called by their number", () => {
  const named = (text, more) => customerName({ customer: { id: `urn:mbid:${btoa(text)}`, name: null, ...more } });
  assert.equal(named("whatsapp:15551234567"), "+15551234567");
  assert.equal(named("whatsapp:15551234567", { name: "Ada" }), "Ada");
  for (const other of ["whatsapp:", "whatsapp:US.12", "x whatsapp:1", "15551234567"]) assert.doesNotMatch(named(other), /\+/, other);
  assert.doesNotMatch(named("whatsapp:15551234567", { erased: true }), /\+/);
});

test("a name that a customer chose turns no words around that stand beside it, nor breaks their line", () => {
  const customer = { id: "urn:mbid:AAAxyz9=", name: null };
  const named = (name, contact = null) => customerName({ customer: { ...customer, name }, contact: { id: "1", name: contact } });
  assert.equal(named("Bank\u202e txet\u2067 x\u0007"), "Bank txet x");
  assert.equal(named("Ada\nLovelace\u2028Byron\r\n"), "Ada Lovelace Byron");
  assert.equal(named("Mika", "\u202e \n"), "Mika");
  assert.equal(named("\u202e"), customerName({ customer }));
  // What joins letters and signs belongs to the name.
  assert.equal(named("👩\u200d👩\u200d👧 می\u200cخواهم"), "👩\u200d👩\u200d👧 می\u200cخواهم");
  assert.equal(customerLetters({ customer: { ...customer, name: "\u202e" } }), "XY");
});

test("a face has two letters, or one where they are wide", () => {
  assert.equal(initials("Ada Lovelace"), "AL");
  assert.equal(initials("Bo"), "B");
  assert.equal(initials("Ирина Аудитова"), "ИА");
  assert.equal(initials("鈴木 花子"), "鈴");
  assert.equal(initials("김 민준"), "김");
});
