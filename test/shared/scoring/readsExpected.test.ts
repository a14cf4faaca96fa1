import { expect, test } from '@jest/globals';
import { SCORER_TYPES, type ScorerType } from '../../../shared/contracts/base/scorerTypes.ts';
import { readsExpected } from '../../../shared/scoring/engine/engine.ts';
import { definitionOf, loadScorers } from '../../../shared/scoring/registry.ts';

await loadScorers(SCORER_TYPES);

/** Configs of each type, as those that compare with `expected` have them. */
const CONFIGS: Readonly<Record<ScorerType, readonly object[]>> = {
  exact_match: [{ case_sensitive: true }],
  regex: [{ pattern: 'a', flags: '', should_match: true }],
  json_schema: [{ schema: { const: 1 } }],
  contains: [{ values: ['a'], mode: 'all', case_sensitive: true }],
  json_path: [
    {
      assertions: [{ path: '$.a', op: 'equals', value: { $expected: '/a' } }],
      extract: 'whole',
      partial: false,
    },
    { assertions: [{ path: '$.a', op: 'equals', value: 1 }], extract: 'whole', partial: false },
  ],
  similarity: [{ metric: 'rouge_l', case_sensitive: true, normalize_whitespace: true }],
  trajectory: [{ calls: [], forbidden: ['a'] }, { forbidden: [] }],
  metric: [{ field: 'cost_usd', max: 0 }],
  llm_judge: [],
};

/** A judge is shown it, and compiles to nothing. */
const compilesToReader = (type: ScorerType): boolean => {
  const definition = definitionOf(type);
  if (definition === undefined || !('compile' in definition)) return true;
  const compiled = CONFIGS[type].flatMap((config) =>
    [false, true].map((dualSided) => definition.compile(config, { dualSided })),
  );
  return compiled.some(({ usesExpected }) => usesExpected);
};

test.each(SCORER_TYPES)(
  'what a case expects is read for %s exactly if some config of it compares with it',
  (type) => {
    expect(readsExpected({ type })).toBe(compilesToReader(type));
  },
);
