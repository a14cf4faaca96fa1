import { createHash } from 'node:crypto';

/** RFC 8785 for what the harness sends: documents without numbers or texts that it writes otherwise than JSON does. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)}}`;
}

/** 64 hexadecimal digits, as `docs/digest.md` defines them. */
export const digestOf = (document: unknown): string =>
  createHash('sha256').update(canonical(document)).digest('hex');
