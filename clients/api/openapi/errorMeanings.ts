import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES, type ErrorCode } from '../../../shared/contracts/base/errors.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/errors.md');
const ROW = /^\| `(?<code>[A-Z_]+)` \| \d{3} \| (?<why>[^|]*) \| (?<action>[^|]*) \|$/gm;

const meanings = new Map(
  [...readFileSync(PAGE, 'utf8').matchAll(ROW)].map(({ groups: { code, why, action } = {} }) => [
    code,
    `${why}. What to do: ${action}`,
  ]),
);

/** What docs/errors.md says of an error, without its links. */
function normalizeDefinition(code: ErrorCode): string {
  const meaning = meanings.get(code);
  if (meaning === undefined) throw new Error(`docs/errors.md has no row for ${code}.`);
  return `${meaning.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}.`;
}

/** One paragraph for each error. */
export const errorMeanings = (): string =>
  ERROR_CODES.map((code) => `\`${code}\`: ${normalizeDefinition(code)}`).join('\n\n');
