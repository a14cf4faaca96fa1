import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';

import { firstOf } from '../../../support/soak.ts';
import { caseOf, now, preparedSuite, scoreText } from '../cases.ts';
import { type Difference, FORMATS, REQUIRED } from './suiteDifferences.ts';

type Group = readonly [group: string, schema: number, tests: readonly (readonly [string, number, 0 | 1])[]];

interface Corpus {
  readonly texts: readonly string[];
  readonly drafts: Readonly<Record<string, Readonly<Record<string, readonly Group[]>>>>;
}

const DRAFTS = {
  '04': 'http://json-schema.org/draft-04/schema#',
  '06': 'http://json-schema.org/draft-06/schema#',
  '07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** json-schema-org/JSON-Schema-Test-Suite at 44401e0c, packed as one file. */
const CORPUS = join(import.meta.dirname, '../../../../../shared/corpora/json-schema.json');
const isThere = existsSync(CORPUS);
const corpus: Corpus = isThere ? JSON.parse(readFileSync(CORPUS, 'utf8')) : { texts: [], drafts: {} };

const isRequired = (keyword: string) => !keyword.startsWith('optional/') && keyword !== 'refRemote';
const isFormat = (keyword: string) => keyword.startsWith('optional/format/');

/** Whatever is judged or refused otherwise than the suite and the list of differences say. */
async function surprises(
  draft: keyof typeof DRAFTS,
  isSought: (keyword: string) => boolean,
  differences: readonly Difference[],
) {
  const found: string[] = [];
  let judged = 0;
  for (const [keyword, groups] of Object.entries(corpus.drafts[draft] ?? {})) {
    if (!isSought(keyword)) continue;
    for (const [group, schemaAt, tests] of groups) {
      const sent: unknown = JSON.parse(corpus.texts[schemaAt]!);
      const schema = typeof sent === 'boolean' ? sent : { $schema: DRAFTS[draft], ...(sent as object) };
      const checked = await validateScorerConfig('json_schema', { schema });
      if (!checked.ok) {
        const [issue] = checked.issues;
        const isListed = differences.some(({ refusal }) => refusal?.test(issue!.message));
        if (!isListed) found.push(`${keyword}/${group} is refused: ${issue!.message}`);
        continue;
      }
      const suite = preparedSuite([caseOf('json_schema', { schema })]);
      for (const [title, instanceAt, valid] of tests) {
        const [result] = scoreText(suite, { output: corpus.texts[instanceAt]!, now }).results;
        judged++;
        if (!result!.errored && result!.score === valid) continue;
        if (!result!.errored && differences.some((one) => one.test?.test(`${group}/${title}`))) continue;
        found.push(`${keyword}/${group}/${title}: ${result!.reason}`);
      }
    }
  }
  return { found, judged };
}

test('the suite exists, or this shows how to get it', () => {
  if (isThere) return;
  const how = `Put the packed JSON-Schema-Test-Suite (json-schema-org/JSON-Schema-Test-Suite at 44401e0c) at ${CORPUS}`;
  if (process.env.CI) throw new Error(how);
  console.warn(`${how}: its tests are skipped.`);
});

(isThere ? describe : describe.skip)('the JSON-Schema-Test-Suite', () => {
  test.each(
    firstOf<readonly [keyof typeof DRAFTS, number]>(3, [
      ['2020-12', 1_150],
      ['07', 800],
      ['04', 580],
      ['2019-09', 1_100],
      ['06', 750],
    ]),
  )('of draft %s: no false pass and no false failure among accepted schemas', async (draft, atLeast) => {
    const { found, judged } = await surprises(draft, isRequired, REQUIRED);
    expect(found).toEqual([]);
    expect(judged).toBeGreaterThan(atLeast);
  });

  test.each(firstOf(1, ['2020-12', '07', '2019-09', '06', '04'] as const))(
    'of the formats of draft %s as well',
    async (draft) => {
      const { found, judged } = await surprises(draft, isFormat, FORMATS);
      expect(found).toEqual([]);
      expect(judged).toBeGreaterThan(100);
    },
  );
});
