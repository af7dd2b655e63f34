/**
 * Reads a payload back into the draft of its form, where the form can say all that the payload says.
 * Pure, apart from the zones the browser knows.
 */
import {
  appPayload, listPayload, ownBundle, paymentPayload, quickReplyPayload, richLinkPayload, timePayload,
} from "./payloads.js";
import { allZones, localZone, offsetMinutes, wallClock } from "./zones.js";

const bundlePattern = /^com\.apple\.messages\.MSMessageExtensionBalloonPlugin:([^:]*):([^:]*)$/;
/** The formats whose base64 begins with these letters. */
const formats = { iVBOR: "image/png", "/9j/": "image/jpeg", R0lG: "image/gif", UklGR: "image/webp" };

/**
 * @param {any} payload
 * @param {import("./payloads.js").Envelope} envelope of the conversation it is for
 * @returns {{kind: string, draft: any}|null} null when something would be lost on the way
 */
export function draftOfPayload(payload, envelope) {
  const reader = readers.find(({ speaksOf }) => speaksOf(payload));
  if (!reader) return null;
  try {
    const draft = reader.read(payload);
    return draft && isSame(reader.make(draft, envelope), payload) ? { kind: reader.kind, draft } : null;
  } catch {
    return null;  // Safe: what is not built as its schema says has no form; it goes into Raw JSON.
  }
}

const featureOf = (name) => ({ type, interactiveData }) =>
  type === "interactive" && interactiveData?.bid === ownBundle && interactiveData.data?.[name] !== undefined;

const readers = [
  { kind: "quickReply", speaksOf: featureOf("quick-reply"), make: quickReplyPayload, read: readQuickReply },
  { kind: "list", speaksOf: featureOf("listPicker"), make: listPayload, read: readList },
  { kind: "time", speaksOf: featureOf("event"), make: timePayload, read: readTime },
  { kind: "payment", speaksOf: featureOf("payment"), make: (draft, envelope) => paymentPayload(draft, envelope, null), read: readPayment },
  { kind: "richLink", speaksOf: ({ type, richLinkData }) => type === "richLink" && Boolean(richLinkData), make: richLinkPayload, read: readLink },
  { kind: "app", speaksOf: ({ interactiveData }) => interactiveData?.URL !== undefined, make: appPayload, read: readApp },
];

const text = (value) => value ?? "";

function picture(data, mimeType) {
  if (!data) return null;
  const known = Object.entries(formats).find(([beginning]) => data.startsWith(beginning));
  return { data, mimeType: mimeType ?? known?.[1] ?? "image/png", bytes: Math.floor(data.length * 0.75) };
}

/** Pictures by identifier, and the card texts that name them. */
function shelfOf({ interactiveData }) {
  const images = interactiveData.data?.images ?? [];
  const find = (identifier) => {
    if (identifier === undefined) return null;
    return picture(images.find((image) => image.identifier === identifier).data);
  };
  const card = (one = {}, style = "icon") => ({
    title: text(one.title), subtitle: text(one.subtitle), style: one.style ?? style, picture: find(one.imageIdentifier),
    alternateTitle: text(one.alternateTitle),
  });
  return { find, card };
}

function readQuickReply({ interactiveData }) {
  const { summaryText, items } = interactiveData.data["quick-reply"];
  return { summary: text(summaryText), items: items.map(({ identifier, title }) => ({ identifier, title })) };
}

function readList(payload) {
  const { receivedMessage, replyMessage, data } = payload.interactiveData;
  const { find, card } = shelfOf(payload);
  return {
    received: card(receivedMessage), reply: card(replyMessage),
    sections: data.listPicker.sections.map(({ title, multipleSelection, items }) => ({
      title, multiple: multipleSelection ?? false,
      items: items.map((item) => ({
        identifier: item.identifier, title: item.title, subtitle: text(item.subtitle),
        style: item.style ?? "default", picture: find(item.imageIdentifier),
      })),
    })),
  };
}

function readTime(payload) {
  const { receivedMessage, replyMessage, data } = payload.interactiveData;
  const { find, card } = shelfOf(payload);
  const { identifier, title, imageIdentifier, timezoneOffset, location = {}, timeslots } = data.event;
  const instants = timeslots.map(({ startTime }) => instantOf(startTime));
  const zone = zoneAt(timezoneOffset, Math.min(...instants));
  if (!zone) return null;
  return {
    received: card(receivedMessage), reply: card(replyMessage), identifier, title, picture: find(imageIdentifier),
    zone, fixedZone: timezoneOffset !== undefined,
    place: {
      title: text(location.title), latitude: String(text(location.latitude)), longitude: String(text(location.longitude)),
      radius: String(text(location.radius)),
    },
    slots: timeslots.map((slot, index) => ({
      identifier: slot.identifier, ...wallClock(instants[index], zone), minutes: slot.duration / 60,
    })),
  };
}

/** The moment that a slot begins, in any of the spellings of UTC. */
const instantOf = (startTime) => Date.parse(startTime.replace(/\+0000$/, "Z"));

/** A zone that is so many minutes ahead at an instant, one's own if it is. */
function zoneAt(offset, instant) {
  if (offset === undefined) return localZone();
  return [localZone(), ...allZones()].find((zone) => offsetMinutes(zone, instant) === offset) ?? null;
}

function readPayment(payload) {
  const { receivedMessage, data } = payload.interactiveData;
  const { paymentRequest: request } = data.payment;
  const methods = (request.shippingMethods ?? []).map(({ identifier, label, detail, amount }) => ({
    identifier, label, detail: text(detail), amount,
  }));
  // The first way of shipping stands among the lines too; the form puts it there itself.
  const lines = (request.lineItems ?? []).slice(0, methods.length ? -1 : undefined);
  return {
    received: shelfOf(payload).card(receivedMessage), merchantIdentifier: request.applePay.merchantIdentifier,
    merchantName: text(request.merchantName), country: request.countryCode, currency: request.currencyCode,
    lineItems: lines.map(({ label, amount, type }) => ({ label, amount, type: type ?? "final" })),
    shippingMethods: methods, networks: request.applePay.supportedNetworks,
    capabilities: request.applePay.merchantCapabilities, billingFields: request.requiredBillingContactFields ?? [],
    shippingFields: request.requiredShippingContactFields ?? [],
  };
}

function readLink({ richLinkData: { url, title, assets = {} } }) {
  return {
    url, title: text(title), picture: assets.image ? picture(assets.image.data, assets.image.mimeType) : null,
    videoURL: text(assets.video?.url), videoType: assets.video?.mimeType ?? "video/mp4",
  };
}

function readApp({ interactiveData: app }) {
  const [, team, extension] = bundlePattern.exec(app.bid);
  const card = (one = {}) => ({
    title: text(one.title), subtitle: text(one.subtitle), style: text(one.style), picture: null,
    alternateTitle: text(one.alternateTitle), imageTitle: text(one.imageTitle), imageSubtitle: text(one.imageSubtitle),
    secondarySubtitle: text(one.secondarySubtitle), tertiarySubtitle: text(one.tertiarySubtitle),
  });
  return {
    team, extension, appID: String(app.appId), appName: app.appName, url: app.URL, icon: picture(app.appIcon),
    useLiveLayout: app.useLiveLayout ?? true, received: card(app.receivedMessage), reply: card(app.replyMessage),
  };
}

/** Whether two payloads say the same, whatever the order of names and whether defaults are stated. */
function isSame(made, stated) {
  const one = plain(made);
  const other = plain(stated);
  // A picture that had no words gets those of its place.
  one.images.forEach((image, index) => {
    if (other.images[index] && other.images[index].description === undefined) delete image.description;
  });
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** A payload without what the conversation decides and without defaults; pictures in the place of their names. */
function plain(payload) {
  const { v, id, sourceId, destinationId, locale, ...rest } = structuredClone(payload);
  const data = rest.interactiveData?.data;
  const pictures = new Map((data?.images ?? []).map((image) => [image.identifier, image]));
  const used = new Set();
  const walk = (value, name, index) => {
    if (Array.isArray(value)) return value.map((one, place) => walk(one, name, place));
    if (value === null || typeof value !== "object") return value;
    const members = Object.entries(value).flatMap(([key, member]) => {
      const isDefault = (key === "order" && member === index) || (key === "multipleSelection" && member === false)
        || (key === "style" && member === (name === "items" ? "default" : "icon")) || (key === "useLiveLayout" && member === true)
        || (key === "requestIdentifier") || (key === "detail" && member === "");
      if (isDefault) return [];
      if (key !== "imageIdentifier") return [[key, walk(member, key, undefined)]];
      used.add(member);
      return [[key, pictures.get(member)?.data]];
    });
    return Object.fromEntries(members);
  };
  if (data) delete data.images;
  for (const slot of data?.event?.timeslots ?? []) slot.startTime = instantOf(slot.startTime);
  data?.event?.timeslots?.sort((one, other) => one.startTime - other.startTime);
  const message = walk(rest, "", undefined);
  const reply = message.interactiveData?.replyMessage;
  if (reply && Object.values(reply).every((value) => value === "")) delete message.interactiveData.replyMessage;
  const images = [...pictures.values()].map(({ identifier, ...image }) => ({ ...image, isUsed: used.has(identifier) }))
    .sort((one, other) => (one.data < other.data ? -1 : 1));
  return { message, images };
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
