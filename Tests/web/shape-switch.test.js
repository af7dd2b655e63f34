/** Which shape of a message is shown when answers come late. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { makePage, turn } from "./small-dom.js";

globalThis.HTMLElement ??= class extends EventTarget {};
globalThis.customElements ??= { define() {} };
const { ShapeSwitch } = await import("../../web/composer/shape-switch.js");
const fire = makePage();

/** A switch with its select, and the requests that it made, each answered by its test. */
function made() {
  const asked = [];
  globalThis.fetch = (address, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    asked.push({ address: String(address), answer: (message) => resolve(Response.json({ message, losses: [] })) });
  });
  const create = document.createElement;
  let select = null;
  document.createElement = (name) => {
    const node = create(name);
    if (name === "select") select = node;
    return node;
  };
  const shapes = new ShapeSwitch();
  document.createElement = create;
  document.body.append(select);
  select.value = "messages-for-business";
  const choose = async (shape) => {
    select.value = shape;
    fire(select, "change");
    await turn();
  };
  return { shapes, asked, choose };
}

test("an answer for a shape that was left is not shown, and nothing is asked for ours", async () => {
  const { shapes, asked, choose } = made();
  shapes.show('{"type":"text"}');
  await choose("whatsapp");
  assert.equal(asked.length, 1);
  assert.match(asked[0].address, /to=whatsapp$/);
  await choose("messages-for-business");
  asked[0].answer({ late: true });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  assert.equal(shapes.shown, null);
  assert.equal(asked.length, 1);
  await choose("line");
  asked[1].answer({ now: true });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  assert.deepEqual(JSON.parse(shapes.shown), { now: true });
});
