/** The ways in which a key is written where text of one kind stands inside another: as it is, in URLs, JSON, headers. */
export function formsOf(apiKey: string): ReadonlySet<string> {
  const encoded = encodeURIComponent(apiKey);
  const strict = encoded.replace(/[!'()*]/g, percent);
  const inJson = escaped(apiKey);
  const urls = [encoded, strict].flatMap((form) => [form, form.replace(/%../g, lower)]);
  const json = [inJson, inJson.replaceAll('/', '\\/'), escaped(inJson)];
  return new Set([apiKey, ...urls, ...json, ...base64FormsOf(apiKey)].filter((form) => form !== ''));
}

const lower = (text: string): string => text.toLowerCase();
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A shorter piece occurs in any text. */
const PIECE_LENGTH = 8;

/** Whole, and as far as the key alone decides on it inside of something longer, such as `user:key`. */
function base64FormsOf(apiKey: string): string[] {
  const key = Buffer.from(apiKey);
  const whole = key.toString('base64');
  const pieces = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), key]);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const forms = [whole, whole.replaceAll('=', ''), ...pieces.filter(({ length }) => length >= PIECE_LENGTH)];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
