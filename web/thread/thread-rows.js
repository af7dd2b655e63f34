import { sortTapbacks } from "../cards/tapbacks.js";
import { dayKey } from "../lib/time.js";
import { isShownEvent } from "./event-words.js";

/**
 * @typedef {{type: "day", key: string, date: Date}
 *   | {type: "unread", key: string}
 *   | {type: "message", key: string, message: any, reply: any, quote: {message: any|null}|null, startsGroup: boolean, endsGroup: boolean,
 *     tapback: import("../cards/tapbacks.js").Tapback|null}
 *   | {type: "note", key: string, note: any}
 *   | {type: "event", key: string, event: import("./event-words.js").ThreadEvent}
 *   | {type: "scheduled", key: string, scheduled: any}
 *   | {type: "damaged", key: string, sequence: number}} Row
 */

/** Messages of one side within this time are drawn close together. */
const GROUP_MILLISECONDS = 3 * 60 * 1000;

/**
 * The rows of a thread, top to bottom: day dividers, the unread divider, messages in their order,
 * notes and events where they happened, with each card the answer that it got, with each text the message that it
 * quotes, with each message the reaction to it, and in the place of a damaged message a row that says so.
 * @param {{messages: any[], notes: any[], unreadAfter: number|null, damaged?: number[], events?: any[], scheduled?: any[]}} thread
 * @returns {Row[]}
 */
export function makeRows({ messages: all, notes, unreadAfter, damaged = [], events = [], scheduled = [] }) {
  const { messages, tapbacks } = sortTapbacks(all);
  const replies = new Map();
  const known = new Map();
  for (const message of messages) {
    known.set(message.id, message);
    if (message.inReplyTo && !isQuoting(message)) replies.set(message.inReplyTo, message);
  }
  const broken = [...damaged].sort((one, other) => one - other);
  const waiting = [
    ...notes.map((note) => ({ type: "note", key: `note-${note.id}`, note, at: note })),
    ...events.filter(({ type }) => isShownEvent(type)).map((event) => ({ type: "event", key: `event-${event.id}`, event, at: event })),
  ].sort((one, other) => one.at.afterSequence - other.at.afterSequence || one.at.time.localeCompare(other.at.time));
  const rows = [];
  let day = "";
  let previous = null;
  let isMarked = unreadAfter === null;
  const open = (of) => {
    const key = momentOf(of).day;
    if (key === day) return;
    day = key;
    previous = null;
    rows.push({ type: "day", key: `day-${key}`, date: new Date(of.time) });
  };
  const addNotes = (until) => {
    while (waiting.length && waiting[0].at.afterSequence < until) {
      const { at, ...row } = waiting.shift();
      open(at);
      rows.push(row);
      previous = null;
    }
  };
  const addDamaged = (until) => {
    while (broken.length && broken[0] < until) {
      const sequence = broken.shift();
      addNotes(sequence);
      rows.push({ type: "damaged", key: `damaged-${sequence}`, sequence });
      previous = null;
    }
  };
  for (const message of messages) {
    addDamaged(message.sequence);
    addNotes(message.sequence);
    open(message);
    if (!isMarked && message.sequence > unreadAfter && message.direction === "inbound") {
      isMarked = true;
      previous = null;
      rows.push({ type: "unread", key: "unread" });
    }
    rows.push({
      type: "message", key: message.id, message, reply: replies.get(message.id) ?? null,
      quote: isQuoting(message) ? { message: known.get(message.inReplyTo) ?? null } : null,
      startsGroup: !follows(previous, message), endsGroup: true, tapback: tapbacks.get(message.id) ?? null,
    });
    if (previous && !rows.at(-1).startsGroup) rows.at(-2).endsGroup = false;
    previous = message;
  }
  addDamaged(Infinity);
  addNotes(Infinity);
  for (const one of scheduled) rows.push({ type: "scheduled", key: `scheduled-${one.id}`, scheduled: one });
  return rows;
}

/** Whether a message names another one without being an answer of its kind: a text, in channels where a message can be quoted. */
function isQuoting(message) {
  return message.kind === "text" && Boolean(message.inReplyTo);
}

function follows(previous, message) {
  return previous !== null && previous.direction === message.direction
    && previous.author?.id === message.author?.id
    && momentOf(message).at - momentOf(previous).at < GROUP_MILLISECONDS;
}

/** When something was and on which day, computed once: a long thread is put in order with each message. */
const moments = new WeakMap();

function momentOf(of) {
  let known = moments.get(of);
  if (!known) {
    const date = new Date(of.time);
    known = { at: date.getTime(), day: dayKey(date) };
    moments.set(of, known);
  }
  return known;
}
