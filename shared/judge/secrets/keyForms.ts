/** The forms of a key in other text: as it is, in URLs, JSON and headers. */
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

/** A shorter piece may occur in any text. */
const PIECE_LENGTH = 8;

/** The whole key, and the part that is the same wherever it stands in a longer text such as `user:key`. */
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
