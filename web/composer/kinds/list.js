/** Rows in sections, one or several to choose. */
import { cardsOf, featureOf, wordsOf } from "../payload-reading.js";
import { PictureSet, cardText, interactive, stated } from "../payloads.js";

export default {
  kind: "list", tag: "list-form", needs: "LIST",
  drawing: "M8 5h9M8 10h9M8 15h9M3.5 5h.5M3.5 10h.5M3.5 15h.5",
  words: {
    en: { title: "Please choose", reply: "Your choice" },
    ja: { title: "お選びください", reply: "選択した内容" },
  },
  speaksOf: featureOf("listPicker"), make: listPayload, read, fallback,
};

/** A list picker; rows without any content are left out, places count from 0. */
export function listPayload(draft, context) {
  const pictures = new PictureSet();
  const receivedMessage = cardText(draft.received, pictures);
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
        ...stated({ imageIdentifier: pictures.place(item.picture, item.title) }),
      })),
    })),
  };
  const replyMessage = cardText(draft.reply, pictures);
  return interactive(context, { listPicker }, pictures, { receivedMessage, replyMessage });
}

function read(payload) {
  const { receivedMessage, replyMessage, data } = payload.interactiveData;
  const { find, card } = cardsOf(payload);
  return {
    received: card(receivedMessage), reply: card(replyMessage),
    sections: data.listPicker.sections.map(({ title, multipleSelection, items }) => ({
      title, multiple: multipleSelection ?? false,
      items: items.map((item) => ({
        identifier: item.identifier, title: item.title, subtitle: wordsOf(item.subtitle),
        style: item.style ?? "default", picture: find(item.imageIdentifier),
      })),
    })),
  };
}

function fallback({ receivedMessage, data }) {
  const lines = [receivedMessage?.title];
  let number = 0;
  for (const section of data.listPicker.sections) {
    lines.push(section.title);
    for (const item of section.items) {
      number += 1;
      lines.push(`${number}. ${item.title}${item.subtitle ? ` (${item.subtitle})` : ""}`);
    }
  }
  return lines;
}
