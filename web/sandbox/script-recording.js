/** What a customer did in a conversation, as a script that does it again. Pure. */
import { readForm, readSelections } from "../cards/form-model.js";
import { chosenIn, kindOf } from "../cards/kinds.js";
import { readFace, record, list, words } from "../cards/card-model.js";
import { readSignInAnswer } from "../cards/sign-in-view.js";
import { readPayment } from "../cards/kinds/payment.js";

/** Shorter pauses are no part of a script, in milliseconds. */
const LEAST_PAUSE = 60_000;

/** The kinds that a script expects by name; any other is a message. */
const EXPECTED = new Set(["text", "list", "time", "quickReply", "form", "payment", "richLink", "app", "authentication"]);

/**
 * The script of a conversation: a line for each thing that the customer did, and for each message of the business that one
 * is expected. What a script cannot do stands in a comment.
 * @param {{customer?: {name?: string|null, locale?: string|null}, intent?: string|null, group?: string|null, left?: boolean}} conversation
 * @param {any[]} messages ascending
 * @returns {string}
 */
export function recordScript(conversation, messages) {
  const name = nameOf(conversation.customer?.name);
  const known = new Map(messages.map((one) => [one.id, one]));
  const lines = [headerOf(name, conversation)];
  let before = null;
  for (const message of messages) {
    if (message.erasedAt) continue;
    const pause = before === null ? 0 : Date.parse(message.time) - before;
    before = Date.parse(message.time);
    if (message.direction !== "inbound") {
      lines.push(`${name} expects ${expectation(message)}`);
      continue;
    }
    if (pause >= LEAST_PAUSE) lines.push(`${name} waits ${spanOf(pause)}`);
    lines.push(...deedsOf(name, message, known.get(message.inReplyTo)));
  }
  if (conversation.left) lines.push(`${name} deletes the conversation`);
  return `${lines.join("\n")}\n`;
}

/** A name that a script can have: letters, digits, - and _. */
function nameOf(name) {
  return /^[A-Za-z][A-Za-z0-9_-]*/.exec(name ?? "")?.[0].slice(0, 40) ?? "Customer";
}

function headerOf(name, { customer, intent, group }) {
  const values = { locale: customer?.locale, intent, group };
  return [`customer=${name}`, ...Object.entries(values).filter(([, value]) => value).map(([key, value]) => `${key}=${plain(value, /[\s"]/)}`)].join(" ");
}

/** A text as it stands, or in quotes where it would be read as something else. */
function plain(text, special) {
  return special.test(text) ? JSON.stringify(text) : text;
}

const said = (text) => plain(text, /^["\s#]|[\n\r]|\s$/);

function expectation({ kind, payload, summary }) {
  const isText = kind === "text" && words(record(payload).body) !== "";
  if (isText) return `text saying ${JSON.stringify(words(payload.body))}`;
  const title = readFace(payload).title || summary || "";
  return `${EXPECTED.has(kind) ? kind : "message"}${title ? ` containing ${JSON.stringify(title)}` : ""}`;
}

/** What a message of the customer's did. */
function deedsOf(name, message, request) {
  const { payload, tapback, attachments = [] } = message;
  const text = words(record(payload).body).replaceAll("\u{fffc}", "").trim();
  if (tapback) return [tapback === "removed" || tapback === "reacted" ? `# ${name} reacted: ${oneLine(text)}` : `${name} reacts ${tapback}`];
  const kind = kindOf(payload);
  const answer = ANSWERS[kind];
  if (request && answer) return answer(name, payload, request.payload);
  const files = attachments.map((one) => `# ${name} attached ${oneLine(one.name ?? "a file")}`);
  if (kind === "text" && text) return [...files, `${name} says ${said(text)}`];
  return files.length ? files : [`# ${name}: ${oneLine(message.summary ?? kind)}`];
}

const oneLine = (text) => text.replace(/\s+/g, " ").slice(0, 200);

/** How each kind of card was answered. */
const ANSWERS = {
  list: picks, time: picks, quickReply: picks,
  form: (name, payload, asked) => {
    const pages = new Map(readForm(asked).pages.map((page) => [page.question, page.identifier]));
    const answers = readSelections(payload).filter((one) => one.answers.length);
    if (!answers.length) return [`# ${name} filled the form; its answers are private`];
    return [`${name} fills`, ...answers.map(({ question, answers: values }) =>
      `  ${inAnswer(pages.get(question) ?? question)} = ${values.map(inAnswer).join(" | ")}`)];
  },
  payment: (name, payload) => {
    const { state, status } = readPayment(payload);
    if (state === "success") return [`${name} pays`];
    if (state === "canceled") return [`${name} cancels the payment`];
    return [/^STATUS_[A-Z_]+$/.test(status) ? `${name} pays and gets ${status}` : `# ${name}: the payment ended as ${state || "unknown"}`];
  },
  authentication: (name, payload) => {
    const { isSignedIn, reason } = readSignInAnswer(payload);
    return [isSignedIn ? `${name} signs in` : reason === "canceled" ? `${name} cancels the sign-in` : `${name} refuses to sign in`];
  },
};

const inAnswer = (text) => plain(text, /^["\s]|["=|\n\r]|\s$/);

function picks(name, payload, asked) {
  const titles = titlesIn(asked);
  const items = [...chosenIn(payload)].map((id) => plain(titles.get(id) ?? id, /[",\n\r]|^\s|\s$/));
  return [items.length ? `${name} picks ${items.join(", ")}` : `# ${name} answered without a choice`];
}

/** The titles of what a card offered, where no two items have the same, by identifier. */
function titlesIn(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const items = [
    ...list(record(data.listPicker).sections).flatMap((section) => list(record(section).items)), ...list(record(data["quick-reply"]).items),
  ].map(record);
  const titles = items.map(({ title }) => words(title));
  return new Map(items.filter(({ title }) => words(title) && titles.filter((one) => one === words(title)).length === 1)
    .map(({ identifier, title }) => [words(identifier), words(title)]));
}

/** A time as a script writes it: in whole minutes, hours or days. */
function spanOf(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  const [count, unit] = minutes % 1440 === 0 ? [minutes / 1440, "day"] : minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
