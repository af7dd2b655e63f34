/**
 * Builds the protocol's payloads from what the forms hold. Pure: same draft, same payload.
 * @typedef {{id: string, requestID: string, business: string, customer: string}} Envelope
 * @typedef {{data: string, mimeType: string, name?: string, bytes: number}} Picture
 * @typedef {{title: string, subtitle: string, style: string, picture: Picture|null,
 *   alternateTitle?: string, imageTitle?: string, imageSubtitle?: string,
 *   secondarySubtitle?: string, tertiarySubtitle?: string}} CardText
 */
import { currencyDigits, formatAmount, parseAmount, sumAmounts } from "./decimal.js";
import { instantOf, offsetMinutes, startTime } from "./zones.js";

/** The extension that all of the protocol's own features are sent through. */
export const ownBundle =
  "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension";

/** The sign in a body that stands for one attachment. */
export const attachmentSign = "\uFFFC";

/** The most bytes the URL of an app message may have. */
export const appURLByteLimit = 65_536;

/** The most bytes the picture of a rich link may have. */
export const linkPictureByteLimit = 200_000;

/** Fewest and most quick replies. */
export const quickReplyRange = { least: 2, most: 5 };

const envelope = (type, { id, business, customer }) => ({
  v: 1, id, type, sourceId: business, destinationId: customer,
});

/** An object without the members that are empty text, null or undefined. */
const stated = (object) =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== "" && value !== null && value !== undefined),
  );

/** Collects pictures once each and hands out their identifiers. */
class PictureShelf {
  images = [];

  /** @param {Picture|null|undefined} picture */
  place(picture, description) {
    if (!picture) return undefined;
    const known = this.images.find((image) => image.data === picture.data);
    if (known) return known.identifier;
    const identifier = `image-${this.images.length + 1}`;
    this.images.push(stated({ identifier, data: picture.data, description }));
    return identifier;
  }
}

/** @param {CardText} card */
const cardText = (card, shelf, withMore = false) => {
  const imageIdentifier = shelf?.place(card.picture, card.title);
  const { title, subtitle, style, alternateTitle } = card;
  const { imageTitle, imageSubtitle, secondarySubtitle, tertiarySubtitle } = card;
  return {
    title,
    ...stated({ subtitle, style, imageIdentifier, alternateTitle }),
    ...(withMore ? stated({ imageTitle, imageSubtitle, secondarySubtitle, tertiarySubtitle }) : {}),
  };
};

const interactive = (context, feature, shelf, cards) => ({
  ...envelope("interactive", context),
  interactiveData: {
    bid: ownBundle,
    data: {
      version: "1.0",
      requestIdentifier: context.requestID,
      ...(shelf?.images.length ? { images: shelf.images } : {}),
      ...feature,
    },
    ...(cards ?? {}),
  },
});

/**
 * Text with attachments: one sign for each, before or after the words.
 * @param {{body: string, attachments: object[], attachmentsFirst: boolean}} draft
 * @param {Envelope} context
 */
export function textPayload(draft, context) {
  const signs = attachmentSign.repeat(draft.attachments.length);
  const body = draft.attachmentsFirst ? signs + draft.body : draft.body + signs;
  return {
    ...envelope("text", context),
    body,
    ...(draft.attachments.length ? { attachments: draft.attachments } : {}),
  };
}

/** @param {{summary: string, items: {identifier: string, title: string}[]}} draft */
export function quickReplyPayload(draft, context) {
  const items = draft.items.filter((item) => item.title.trim() !== "");
  return interactive(context, {
    "quick-reply": {
      summaryText: draft.summary,
      items: items.map(({ identifier, title }) => ({ identifier, title })),
    },
  });
}

/** A list picker; rows without any content are left out, places count from 0. */
export function listPayload(draft, context) {
  const shelf = new PictureShelf();
  const receivedMessage = cardText(draft.received, shelf);
  const hasContent = (item) => item.title.trim() || item.subtitle.trim() || item.picture;
  const sections = draft.sections
    .map((section) => ({ ...section, items: section.items.filter(hasContent) }))
    .filter((section) => section.items.length || section.title.trim());
  const listPicker = {
    sections: sections.map((section, order) => ({
      title: section.title,
      order,
      multipleSelection: section.multiple,
      items: section.items.map((item, place) => ({
        identifier: item.identifier,
        title: item.title,
        ...stated({ subtitle: item.subtitle }),
        order: place,
        style: item.style,
        ...stated({ imageIdentifier: shelf.place(item.picture, item.title) }),
      })),
    })),
  };
  const replyMessage = cardText(draft.reply, shelf);
  return interactive(context, { listPicker }, shelf, { receivedMessage, replyMessage });
}

/** A time picker; slots are wall-clock times of the draft's zone and leave as UTC. */
export function timePayload(draft, context) {
  const shelf = new PictureShelf();
  const receivedMessage = cardText(draft.received, shelf);
  const timeslots = draft.slots
    .map((slot) => ({ slot, instant: instantOf(slot.date, slot.time, draft.zone) }))
    .filter(({ instant }) => instant !== null)
    .map(({ slot, instant }) => ({
      identifier: slot.identifier, startTime: startTime(instant), duration: slot.minutes * 60, instant,
    }))
    .sort((one, other) => one.instant - other.instant);
  const offset = timeslots.length ? offsetMinutes(draft.zone, timeslots[0].instant) : 0;
  const event = {
    identifier: draft.identifier,
    title: draft.title,
    ...stated({ imageIdentifier: shelf.place(draft.picture, draft.title) }),
    ...(draft.fixedZone ? { timezoneOffset: offset } : {}),
    ...placeOfDraft(draft),
    timeslots: timeslots.map(({ identifier, startTime, duration }) => ({
      identifier, startTime, duration,
    })),
  };
  const replyMessage = cardText(draft.reply, shelf);
  return interactive(context, { event }, shelf, { receivedMessage, replyMessage });
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

/** The total of a payment draft in minor units. */
export function paymentTotal(draft) {
  const amounts = draft.lineItems.map((item) => item.amount);
  const shipping = draft.shippingMethods.find((method) => method.label.trim());
  return sumAmounts(shipping ? [...amounts, shipping.amount] : amounts, draft.currency);
}

/**
 * A payment request. The total is what the lines and the first way of shipping add up to.
 * @param {object} draft
 * @param {Envelope} context
 * @param {{merchantSession: object, endpoints: object}|null} merchant
 */
export function paymentPayload(draft, context, merchant) {
  const shelf = new PictureShelf();
  const digits = currencyDigits(draft.currency);
  const amountText = (text) => {
    const units = parseAmount(text, digits);
    return units === null ? text : formatAmount(units, digits);
  };
  const receivedMessage = cardText(draft.received, shelf);
  const lines = draft.lineItems.filter((item) => item.label.trim() || item.amount.trim());
  const methods = draft.shippingMethods.filter((method) => method.label.trim());
  const lineItems = lines.map(({ label, amount, type }) => ({
    label, amount: amountText(amount), type,
  }));
  if (methods.length) {
    lineItems.push({ label: methods[0].label, amount: amountText(methods[0].amount), type: "final" });
  }
  const list = (name, values) => (values.length ? { [name]: values } : {});
  const paymentRequest = {
    applePay: {
      merchantIdentifier: draft.merchantIdentifier,
      supportedNetworks: draft.networks,
      merchantCapabilities: draft.capabilities,
    },
    ...stated({ merchantName: draft.merchantName }),
    countryCode: draft.country,
    currencyCode: draft.currency,
    ...list("lineItems", lineItems),
    total: {
      label: draft.merchantName,
      amount: formatAmount(paymentTotal(draft), digits),
      type: lines.some((item) => item.type === "pending") ? "pending" : "final",
    },
    ...list("requiredBillingContactFields", draft.billingFields),
    ...list("requiredShippingContactFields", draft.shippingFields),
    ...list("shippingMethods", methods.map(({ identifier, label, detail, amount }) => ({
      identifier, label, detail, amount: amountText(amount),
    }))),
  };
  const payment = {
    paymentRequest,
    ...(merchant ? { merchantSession: merchant.merchantSession, endpoints: merchant.endpoints } : {}),
  };
  return interactive(context, { payment }, shelf, { receivedMessage });
}

/** A link with its title and picture. */
export function richLinkPayload(draft, context) {
  const image = draft.picture
    ? { image: { data: draft.picture.data, mimeType: draft.picture.mimeType } } : {};
  const video = draft.videoURL.trim()
    ? { video: { url: draft.videoURL, mimeType: draft.videoType } } : {};
  return {
    ...envelope("richLink", context),
    richLinkData: { url: draft.url, title: draft.title, assets: { ...image, ...video } },
  };
}

/** A message for somebody's own app extension; the URL is carried as typed. */
export function appPayload(draft, context) {
  const appId = /^[0-9]{1,15}$/.test(draft.appID.trim()) ? Number(draft.appID) : draft.appID;
  return {
    ...envelope("interactive", context),
    interactiveData: {
      bid: `com.apple.messages.MSMessageExtensionBalloonPlugin:${draft.team}:${draft.extension}`,
      appId,
      appName: draft.appName,
      ...stated({ appIcon: draft.icon?.data }),
      URL: draft.url,
      useLiveLayout: draft.useLiveLayout,
      receivedMessage: cardText(draft.received, null, true),
      ...(draft.reply.title ? { replyMessage: cardText(draft.reply, null, true) } : {}),
    },
  };
}

/** The text whose bytes are shown and sent. */
export function payloadText(payload) {
  return JSON.stringify(payload, null, 2);
}
