import { hash } from 'node:crypto';

/** RFC 8785 for what the harness sends: documents without numbers or texts that it writes otherwise than JSON does. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  return `{${names.sort().map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`)}}`;
}

/** 64 hexadecimal digits, as `docs/digest.md` defines them. */
export const digestOf = (document: unknown): string => hash('sha256', canonical(document), 'hex');
