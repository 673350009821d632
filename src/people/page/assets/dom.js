// Finds and creates elements. Text from programs is always inserted by
// textContent, so it cannot become markup.

export const at = (id) => document.getElementById(id);
export const make = (tag, set = {}) => Object.assign(document.createElement(tag), set);
