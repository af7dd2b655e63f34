/**
 * Common parts of the payloads of all kinds; each kind's own part is in `kinds/`. Pure.
 * @typedef {{id: string, requestID: string, business: string, customer: string}} Envelope
 * @typedef {{data: string, mimeType: string, name?: string, bytes: number}} Picture
 * @typedef {{title: string, subtitle: string, style: string, picture: Picture|null,
 *   alternateTitle?: string, imageTitle?: string, imageSubtitle?: string,
 *   secondarySubtitle?: string, tertiarySubtitle?: string}} CardText
 */

/** The extension that all of the protocol's own features are sent through. */
export const ownBundle =
  "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension";

/** The character in a body that represents one attachment. */
export const attachmentSign = "\uFFFC";

/** The members that every message begins with. */
export const envelope = (type, { id, business, customer }) => ({
  v: 1, id, type, sourceId: business, destinationId: customer,
});

/** An object without the members that are empty text, null or undefined. */
export const stated = (object) =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== "" && value !== null && value !== undefined),
  );

/** Collects pictures once each and hands out their identifiers. */
export class PictureSet {
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

/** The text of a bubble, its picture among `pictures`. @param {CardText} card */
export const cardText = (card, pictures, withMore = false) => {
  const imageIdentifier = pictures?.place(card.picture, card.title);
  const { title, subtitle, style, alternateTitle } = card;
  const { imageTitle, imageSubtitle, secondarySubtitle, tertiarySubtitle } = card;
  return {
    title,
    ...stated({ subtitle, style, imageIdentifier, alternateTitle }),
    ...(withMore ? stated({ imageTitle, imageSubtitle, secondarySubtitle, tertiarySubtitle }) : {}),
  };
};

/** An interactive message around a feature; `pictures` holds those that it names. */
export const interactive = (context, feature, pictures, cards) => ({
  ...envelope("interactive", context),
  interactiveData: {
    bid: ownBundle,
    data: {
      version: "1.0",
      requestIdentifier: context.requestID,
      ...(pictures?.images.length ? { images: pictures.images } : {}),
      ...feature,
    },
    ...(cards ?? {}),
  },
});

/** The text whose bytes are shown and sent. */
export function payloadText(payload) {
  return JSON.stringify(payload, null, 2);
}
