/** Texts of saved views in the inbox, and of what narrows a list. */
export default {
  "console.order.oldest": "Oldest first",
  "console.section.views": "Saved views",
  "console.saved.menu": "View {name}: rename, share, move, delete",
  "console.saved.changed": "Changed",
  "console.saved.missing": "Something that this view names is no longer there. The list is still narrowed by it.",
  "console.channel.phone": "Our own page",
  "console.channel.upstream": "Gateway",
  "console.filter.text": "Words: {text}",
  "console.palette.view": "View · {name}",
  "console.key.saveView": "Save the list as a view",
};
