import assert from "node:assert/strict";
import { test } from "node:test";
import { Embedding } from "../../web/phone/embedding.js";

/** The frame of a widget, the window around it, and what that hears. */
function frame() {
  const heard = [];
  let receive;
  globalThis.addEventListener = (_name, listener) => { receive = listener; };
  globalThis.parent = { postMessage: (message) => heard.push(message) };
  globalThis.document = { hidden: false };
  const embedding = new Embedding();
  return { embedding, heard, say: (frontdesk) => receive({ data: { frontdesk }, origin: "https://shop.example", source: globalThis.parent }) };
}

test("what came while the tab was hidden and was read in the open frame is counted no more", () => {
  const { embedding, heard, say } = frame();
  say("opened");
  document.hidden = true;
  embedding.arrived();
  embedding.saw([{ sequence: 4 }]);
  assert.deepEqual(heard.at(-1), { frontdesk: "unread", count: 1 });
  document.hidden = false;
  embedding.saw([{ sequence: 4 }]);
  assert.deepEqual(heard.slice(-2), [{ frontdesk: "seen", sequence: 4 }, { frontdesk: "unread", count: 0 }]);
  say("closed");
  embedding.arrived();
  assert.deepEqual(heard.at(-1), { frontdesk: "unread", count: 1 });
});

test("what is not seen yet stays counted while the frame is closed", () => {
  const { embedding, heard } = frame();
  embedding.saw([{ sequence: 4 }]);
  assert.deepEqual(heard, []);
});

test("what another tab has shown, and what came before the customer wrote on another device, is counted no more", () => {
  const { embedding, heard, say } = frame();
  say("closed");
  embedding.arrived();
  embedding.arrived();
  say("seen");
  embedding.arrived();
  assert.deepEqual(heard.at(-1), { frontdesk: "unread", count: 1 });
  embedding.wrote();
  assert.deepEqual(heard.at(-1), { frontdesk: "unread", count: 0 });
  const count = heard.length;
  embedding.wrote();
  assert.equal(heard.length, count);
});
