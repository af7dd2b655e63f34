/** Texts of templates with lists: the editor's rows, the picker's items. */
export default {
  "lists.row": "List: each item has",
  "lists.help": "An element written as {\"{{name}}\": element} in an array is repeated for each item of the list; {{name.position}} is the item’s place.",
  "lists.optional": "May have no items",
  "lists.items": "{label}: items",
  "lists.item": "{label} {number}",
  "lists.add": "Add an item",
  "lists.remove": "Remove {label} {number}",
  "lists.date": "{label}, date",
  "lists.time": "{label}, time",
  "lists.zone": "Times are those of {zone}.",
  "lists.ofItem": "{list} {number}: {label}",
};
