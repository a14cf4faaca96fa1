/** A whole API key. A shorter one is an example. */
const API_KEY = /egk_[0-9A-Za-z]{20,}/g;

/** Where API keys begin in a text in which none belongs. */
export const apiKeysIn = (text: string): readonly number[] =>
  [...text.matchAll(API_KEY)].map(({ index }) => index);
