import assert from "node:assert/strict";
import { test } from "node:test";

import { isPicture } from "../../web/cards/pictures.js";
import { picturesOf } from "../../web/cards/thread-pictures.js";

const at = (id) => `/files/${id}`;
const file = (id, mimeType = "image/png") => ({ id, name: `${id}.png`, mimeType });

test("the pictures of a thread come in the order of its messages, without other files", () => {
  const messages = [
    { id: "m1", payload: { type: "text", body: "\u{fffc}\u{fffc}" }, attachments: [file("a"), file("b", "audio/wav")] },
    { id: "m2", payload: { type: "interactive", interactiveData: { data: { listPicker: {} } } }, attachments: [file("c")] },
    { id: "m3", payload: { type: "text", body: "Look" }, attachments: [file("a"), file("d", "IMAGE/JPEG")] },
  ];
  assert.deepEqual(picturesOf(messages, at).map(({ message, url }) => [message, url]),
    [["m1", "/files/a"], ["m3", "/files/a"], ["m3", "/files/d"]]);
});

test("a picture that the server could not keep is no picture, and the next one keeps its name", () => {
  const attachments = [{ name: "lost.png", mimeType: "image/png" }, { name: "kept.png", mimeType: "image/png" }];
  const message = {
    id: "m", payload: { type: "text", body: "\u{fffc}\u{fffc}", attachments }, attachments: [{ id: "k" }],
    missingFiles: [{ place: 0, reason: "gone" }, { place: null, reason: "gone" }],
  };
  assert.deepEqual(picturesOf([message], at), [{ name: "kept.png", url: "/files/k", message: "m" }]);
});

test("pictures are read where the cards of their messages read them", () => {
  const messages = ["m1", "m2"].map((id) => ({ id, payload: { type: "text", body: "" }, attachments: [file("a")] }));
  assert.deepEqual(picturesOf(messages, (id, message) => `/files/${id}?message=${message}`).map(({ url }) => url),
    ["/files/a?message=m1", "/files/a?message=m2"]);
});

test("only formats that browsers show as pictures count as such", () => {
  const shown = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/svg+xml"];
  assert.ok(shown.every(isPicture));
  assert.ok(!["image/tiff", "image/heic", "application/png", "image/pngx", ""].some(isPicture));
});
