import assert from "node:assert/strict";
import { test } from "node:test";

import en from "../../web/i18n/en/console.js";
import { authorLead } from "../../web/console/names.js";
import { registerStrings } from "../../web/lib/i18n.js";

registerStrings({ en, ja: en });

test("a line of a list names the author of a message to the customer, and none for the customer's own", () => {
  const own = { type: "agent", id: "1", name: "Ada" };
  const rows = [
    [{ direction: "outbound", author: own }, "You: "],
    [{ direction: "outbound", author: { type: "agent", id: "2", name: "Bo" } }, "Bo: "],
    [{ direction: "outbound", author: { type: "key", id: "1", name: "shop" } }, "shop: "],
    [{ direction: "inbound", author: { type: "customer", id: "c", name: null } }, ""],
    [{ direction: "inbound", author: { type: "script", id: "s", name: "scripted-customer" } }, ""],
    [{ direction: "outbound" }, ""],
  ];
  for (const [message, lead] of rows) assert.equal(authorLead(message, "1"), lead, JSON.stringify(message));
});
