/**
 * Verifies webhooks of Frontdesk (Standard Webhooks 1.0) with node alone, version 20 or later. Copy this file into your program.
 *
 * Pass to `verify` the bytes of the body as they came (a Buffer), before anything parses them, and answer 401 where it throws
 * `Refused`. `Events` knows what came before, by which you recognize what comes again and what comes late.
 */

import { createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from "node:crypto";

/** This webhook is not to be acted on; the message says why. */
export class Refused extends Error {}

/** What stands before the 32 bytes of an Ed25519 key in the form that node reads (RFC 8410). */
const ED25519 = Buffer.from("302a300506032b6570032100", "hex");

/** The id of a genuine webhook. `keys` are the `whsec_` or `whpk_` texts that are valid, two while one is rotated. */
export function verify(headers, body, keys, now = Date.now() / 1000) {
  const [name, at, signatures] = ["id", "timestamp", "signature"].map((one) => headers[`webhook-${one}`]);
  if (!name || !at || !signatures) throw new Refused("missing");
  if (name.includes(".")) throw new Refused("invalid-id"); // Then what is signed could be read in two ways.
  if (!/^(0|[1-9][0-9]{0,15})$/.test(at)) throw new Refused("invalid-timestamp");
  if (Math.abs(now - Number(at)) > 300) throw new Refused(now > Number(at) ? "too-old" : "too-new");
  const given = signatures.split(" ");
  if (given.length > 16) throw new Refused("too-many-signatures");
  const content = Buffer.concat([Buffer.from(`${name}.${at}.`), body]);
  let matches = 0;
  for (const key of keys) {
    const bytes = Buffer.from(key.replace(/^wh(sec|pk)_/, ""), "base64");
    // Such as that of a variable that is not set: then everybody could sign.
    if (bytes.length < 24) throw new TypeError("this is no key of a webhook");
    // Every signature is compared, so that the time says nothing about a match.
    for (const one of given) matches += key.startsWith("whpk_") ? isSigned(bytes, content, one) : isCode(bytes, content, one);
  }
  if (!matches) throw new Refused("no-match");
  return name;
}

function isCode(key, content, given) {
  const code = Buffer.from(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  const other = Buffer.from(given);
  return Number(code.length === other.length && timingSafeEqual(code, other));
}

function isSigned(key, content, given) {
  if (!given.startsWith("v1a,")) return 0;
  const signature = Buffer.from(given.slice(4), "base64");
  const publicKey = createPublicKey({ key: Buffer.concat([ED25519, key]), format: "der", type: "spki" });
  return Number(signature.length === 64 && verifySignature(null, content, publicKey, signature));
}

/** What came before, by id and by conversation; keep it in your database, in one transaction with what you do. */
export class Events {
  #ids = new Set();
  #newest = new Map();

  /**
   * Whether a later event of its conversation came before: act on it, but let it replace nothing newer.
   *
   * With the order "conversation" that is what was given up and is replayed, or missed while the endpoint was disabled. Do not
   * refuse it: a refusal is a failed attempt, and failed attempts disable an endpoint in the end.
   */
  isLate(name, { conversation }) {
    return !name.startsWith("test-") && positionOf(name) < (this.#newest.get(conversation) ?? 0);
  }

  /** Whether it is to be acted on; false for one that came before, which is answered with 200 all the same. */
  isNew(name, { conversation }) {
    if (this.#ids.has(name)) return false;
    if (conversation && !name.startsWith("test-")) {
      this.#newest.set(conversation, Math.max(positionOf(name), this.#newest.get(conversation) ?? 0));
    }
    this.#ids.add(name);
    return true;
  }
}

/** The place of the event with this id in the log. */
function positionOf(name) {
  return Number(name.split("-")[1]);
}
