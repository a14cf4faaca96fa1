import { scorers } from '../../shared/scoring/registry.ts';

export const SCORER_TYPES_FILE = 'shared/contracts/base/scorerTypes.ts';

/** As in `biome.json`: a longer list stands on lines of its own. */
const LINE_WIDTH = 110;

/**
 * The types of all scorers, as source text. Contracts name the types but may not import the scorers: functions that do
 * not score would carry them.
 */
export function scorerTypesSource(): string {
  const types = scorers.map(({ type }) => `'${type}'`);
  const line = `export const SCORER_TYPES = [${types.join(', ')}] as const;`;
  return [
    '// Written by `npm run docs` from shared/scoring/registry.ts.',
    line.length <= LINE_WIDTH ? line : line.replace(/\[.*\]/, `[\n  ${types.join(',\n  ')},\n]`),
    'export type ScorerType = (typeof SCORER_TYPES)[number];',
    '',
  ].join('\n');
}
