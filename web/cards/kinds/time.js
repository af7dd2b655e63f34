/** Slots in time, one to choose. */
import { t } from "../../lib/i18n.js";
import { serverNow } from "../../lib/server-clock.js";
import { formatMoment, readTime } from "../../lib/time.js";
import { answerMark, dateTile, faceView } from "../card-parts.js";
import { list, readFace, readPictures, record, words } from "../card-model.js";
import { timeView } from "../time-view.js";

export default {
  // The second name is that of 2017; answers with it are still drawn.
  kind: "time", features: ["event", "timePicker"], answeredBy: "sheet", card, answer, chosen,
};

/**
 * The time picker: the place and the slots, earliest first.
 * @param {unknown} payload
 * @param {(text: unknown) => Date|null} readTime
 */
export function readEvent(payload, readTime) {
  const data = record(record(record(payload).interactiveData).data);
  const event = record(data.event ?? record(data.timePicker).event);
  const place = record(event.location);
  const number = (value) => (words(value).trim() === "" ? NaN : Number(value));
  const [latitude, longitude] = [number(place.latitude), number(place.longitude)];
  const offset = number(event.timezoneOffset);
  const slots = list(event.timeslots).map((slot) => {
    const { identifier, startTime, duration } = record(slot);
    return {
      identifier: words(identifier), start: readTime(startTime), text: words(startTime),
      seconds: Math.max(0, Number(duration) || 0),
    };
  });
  const moment = (slot) => slot.start?.getTime() ?? Number.MAX_SAFE_INTEGER;
  slots.sort((left, right) => moment(left) - moment(right));
  const hasPoint = Number.isFinite(latitude) && Number.isFinite(longitude);
  return {
    identifier: words(event.identifier), title: words(event.title),
    picture: readPictures(payload).get(words(event.imageIdentifier)) ?? null,
    offset: Number.isFinite(offset) && Math.abs(offset) <= 1440 ? offset : null,
    place: words(place.title) || hasPoint
      ? {
        title: words(place.title), latitude: hasPoint ? latitude : null,
        longitude: hasPoint ? longitude : null, radius: Number(place.radius) || 0,
      } : null,
    slots,
  };
}

function chosen(reply) {
  const data = record(record(record(reply).interactiveData).data);
  const event = record(data.event ?? record(data.timePicker).event);
  return list(event.timeslots).map((slot) => words(record(slot).identifier));
}

function card(payload, reply) {
  const model = readEvent(payload, readTime);
  const received = readFace(payload);
  const face = { ...received, picture: received.picture ?? model.picture };
  if (!received.picture && model.picture) face.style = "large";
  const picked = new Set(chosen(reply));
  const slot = model.slots.find(({ identifier }) => picked.has(identifier));
  // Past ones are not offered, not counted, and their day is not on the card.
  const offered = reply ? model.slots : model.slots.filter(({ start }) => !start || start > serverNow());
  return {
    kind: "time", label: face.title || model.title || t("card.time"),
    face: faceView(
      face, dateTile((slot ?? offered[0] ?? model.slots[0])?.start ?? null, model.offset),
      face.title || model.title || t("card.time")),
    hint: t("card.times", { count: offered.length }),
    details: timeView(model, { chosen: picked }),
    mark: reply && answerMark(slot?.start ? [formatMoment(slot.start, model.offset)] : []),
  };
}

function answer(payload) {
  const face = readFace(payload, "replyMessage");
  const model = readEvent(payload, readTime);
  const start = model.slots[0]?.start ?? null;
  const title = start ? formatMoment(start, model.offset) : face.title;
  return {
    kind: "time", label: title,
    face: faceView(face, dateTile(start, model.offset), title, model.title || face.subtitle),
    details: null,
  };
}
