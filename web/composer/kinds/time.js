/** Slots in time, one to choose. */
import { cardsOf, featureOf, wordsOf } from "../payload-reading.js";
import { PictureSet, cardText, interactive, stated } from "../payloads.js";
import { allZones, instantOf, localZone, offsetMinutes, startTime, wallClock } from "../zones.js";

export default {
  kind: "time", tag: "time-form", needs: "TIME",
  drawing: "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM10 6v4l2.5 2",
  words: {
    en: { title: "Please pick a time", reply: "Your appointment" },
    ja: { title: "ご希望の日時をお選びください", reply: "ご予約の日時" },
  },
  speaksOf: featureOf("event"), make: timePayload, read, fallback,
  /** Slots in the order of time, in one spelling of UTC: two payloads that differ in these are alike. */
  level(data) {
    for (const slot of data.event?.timeslots ?? []) slot.startTime = momentOf(slot.startTime);
    data.event?.timeslots?.sort((one, other) => one.startTime - other.startTime);
  },
};

/** A time picker; slots are wall-clock times of the draft's zone and leave as UTC. */
export function timePayload(draft, context) {
  const pictures = new PictureSet();
  const receivedMessage = cardText(draft.received, pictures);
  const timeslots = draft.slots
    .map((slot) => ({ slot, instant: instantOf(slot.date, slot.time, draft.zone) }))
    .filter(({ instant }) => instant !== null)
    .map(({ slot, instant }) => ({
      identifier: slot.identifier, startTime: startTime(instant), duration: slot.minutes * 60, instant,
    }))
    .sort((one, other) => one.instant - other.instant);
  const event = {
    identifier: draft.identifier,
    title: draft.title,
    ...stated({ imageIdentifier: pictures.place(draft.picture, draft.title) }),
    ...(draft.fixedZone ? stated({ timezoneOffset: offsetOf(draft.zone, timeslots.map(({ instant }) => instant)) }) : {}),
    ...placeOfDraft(draft),
    timeslots: timeslots.map(({ identifier, startTime, duration }) => ({
      identifier, startTime, duration,
    })),
  };
  const replyMessage = cardText(draft.reply, pictures);
  return interactive(context, { event }, pictures, { receivedMessage, replyMessage });
}

/**
 * The minutes that a zone is ahead at all of these instants; undefined where its clocks change between them: a card has one
 * number for all its times, and would show some of them an hour off.
 * @param {string} zone @param {number[]} instants
 * @returns {number|undefined}
 */
export function offsetOf(zone, instants) {
  const offsets = new Set(instants.map((instant) => offsetMinutes(zone, instant)));
  return offsets.size > 1 ? undefined : offsets.values().next().value ?? 0;
}

const placeOfDraft = ({ place }) => {
  if (!place.title.trim()) return {};
  const number = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  const latitude = number(place.latitude);
  const longitude = number(place.longitude);
  const located = latitude !== undefined && longitude !== undefined;
  return {
    location: stated({
      title: place.title,
      ...(located ? { latitude, longitude, radius: number(place.radius) } : {}),
    }),
  };
};

function read(payload) {
  const { receivedMessage, replyMessage, data } = payload.interactiveData;
  const { find, card } = cardsOf(payload);
  const { identifier, title, imageIdentifier, timezoneOffset, location = {}, timeslots } = data.event;
  const instants = timeslots.map(({ startTime }) => momentOf(startTime));
  const zone = zoneAt(timezoneOffset, Math.min(...instants));
  if (!zone) return null;
  return {
    received: card(receivedMessage), reply: card(replyMessage), identifier, title, picture: find(imageIdentifier),
    zone, fixedZone: timezoneOffset !== undefined,
    place: {
      title: wordsOf(location.title), latitude: String(wordsOf(location.latitude)), longitude: String(wordsOf(location.longitude)),
      radius: String(wordsOf(location.radius)),
    },
    slots: timeslots.map((slot, index) => ({
      identifier: slot.identifier, ...wallClock(instants[index], zone), minutes: slot.duration / 60,
    })),
  };
}

/** The time at which a slot begins, in any of the spellings of UTC. */
const momentOf = (startTime) => Date.parse(startTime.replace(/\+0000$/, "Z"));

/** A zone that is so many minutes ahead at an instant, one's own if it is. */
function zoneAt(offset, instant) {
  if (offset === undefined) return localZone();
  return [localZone(), ...allZones()].find((zone) => offsetMinutes(zone, instant) === offset) ?? null;
}

function fallback({ data }, locale) {
  const { title, location, timeslots, timezoneOffset } = data.event;
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium", timeStyle: "short", timeZone: "UTC",
  });
  return [title, location?.title, ...timeslots.map((slot, index) => {
    const instant = Date.parse(slot.startTime.replace("+0000", "Z"));
    const shown = format.format(instant + (timezoneOffset ?? 0) * 60000);
    return `${index + 1}. ${shown}${timezoneOffset === undefined ? " UTC" : ""}`;
  })];
}
