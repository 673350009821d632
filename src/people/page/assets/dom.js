// Finds and makes elements. All text from programs is inserted by textContent,
// so none of it can become a part of the page.

export const at = (id) => document.getElementById(id);
export const make = (tag, set = {}) => Object.assign(document.createElement(tag), set);
