import { scorers } from '../../shared/scoring/registry.ts';

export const SCORER_TYPES_FILE = 'shared/contracts/base/scorerTypes.ts';

/** As in `biome.json`: a longer list stands on lines of its own. */
const LINE_WIDTH = 110;

/**
 * The types of all scorers, as source text. Contracts and functions that do not score know scorers by these lists: they
 * may not import the scorers themselves, and would carry them.
 */
export function scorerTypesSource(): string {
  const judged = scorers.filter((definition) => 'question' in definition);
  const readers = scorers.filter((definition) => 'readsMetadata' in definition && definition.readsMetadata);
  const watchers = scorers.filter((definition) => 'readsTrace' in definition && definition.readsTrace);
  const comparers = scorers.filter((definition) => 'readsExpected' in definition && definition.readsExpected);
  return [
    '// Written by `npm run docs` from shared/scoring/registry.ts.',
    listOf('SCORER_TYPES', scorers),
    'export type ScorerType = (typeof SCORER_TYPES)[number];',
    '/** Those whose cases a language model judges. */',
    listOf('JUDGED_SCORER_TYPES', judged),
    '/** Those that read the metadata of an output. */',
    listOf('METADATA_SCORER_TYPES', readers),
    '/** Those that read the trace of an output. */',
    listOf('TRACE_SCORER_TYPES', watchers),
    '/** Those that compare with what a case expects. */',
    listOf('EXPECTED_SCORER_TYPES', [...comparers, ...judged]),
    '',
  ].join('\n');
}

function listOf(name: string, definitions: typeof scorers): string {
  const types = definitions.map(({ type }) => `'${type}'`);
  const line = `export const ${name} = [${types.join(', ')}] as const;`;
  return line.length <= LINE_WIDTH ? line : line.replace(/\[.*\]/, `[\n  ${types.join(',\n  ')},\n]`);
}
