import { createHash, hash } from 'node:crypto';

/** The canonical form of RFC 8785. Throws for what JSON cannot say, half a surrogate pair included. */
export function canonicalText(document: unknown): string {
  if (Array.isArray(document)) return listText(document);
  if (typeof document === 'object' && document !== null) return membersText(document);
  const isJson =
    typeof document === 'string' ? document.isWellFormed() : document === null || isPlain(document);
  if (!isJson) throw new TypeError('Only what JSON can say has a digest');
  return JSON.stringify(document);
}

const isPlain = (value: unknown): boolean => typeof value === 'boolean' || Number.isFinite(value);

function listText(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += text === '' ? canonicalText(item) : `,${canonicalText(item)}`;
  return `[${text}]`;
}

/** Sorted by code units. A field without a value is left out. */
function membersText(members: object): string {
  let text = '';
  for (const name of Object.keys(members).sort()) {
    const value: unknown = Reflect.get(members, name);
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${canonicalText(name)}:${canonicalText(value)}`;
  }
  return `{${text}}`;
}

/** SHA-256 of a document's canonical JSON: 64 lower-case hexadecimal digits. */
export const documentDigest = (document: unknown): string => hash('sha256', canonicalText(document), 'hex');

/** A digest that stands alone in an answer. */
export type Sha256 = `sha256:${string}`;
export const asSha256 = (digest: string): Sha256 => `sha256:${digest}`;

/** The bytes of inputs, which many outputs may share: an input that is large is written out once. */
const inputs = new WeakMap<object, Buffer>();

function bytesOf(input: object): Buffer {
  const known = inputs.get(input);
  if (known !== undefined) return known;
  const bytes = Buffer.from(canonicalText(input));
  inputs.set(input, bytes);
  return bytes;
}

/** `documentDigest([said, input, ...rest])`. The input must not change afterwards. */
export function digestWithInput(output: unknown, input: object, rest: readonly unknown[]): string {
  const after = rest.map((document) => `,${canonicalText(document)}`).join('');
  return createHash('sha256')
    .update(`[${canonicalText(output)},`)
    .update(bytesOf(input))
    .update(`${after}]`)
    .digest('hex');
}
