import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { digestOf } from '../../shared/domain/suites/digests/suiteDigester.ts';
import { PROMPT_VERSION } from '../../shared/judge/prompts/version.ts';
import { documentDigest } from '../../shared/scoring/digest/documents.ts';
import { outputDigest, outputsDigest, resultDigest } from '../../shared/scoring/digest/outputs.ts';
import { caseDigest, SCORING_VERSION, scorerDigest } from '../../shared/scoring/digest/suiteDigest.ts';
import { traceOf } from '../shared/scoring/trajectory/scoring.ts';
import { temporaryFolder } from '../support/service.ts';
import { blocksOf, readPage } from './pages.ts';

const page = readPage('docs/digest.md');
const block = (language: string): string => blocksOf(page, language)[0] ?? '';

interface Example {
  readonly pass_threshold: number;
  readonly gates: object;
  readonly scorers: Readonly<Record<string, { type: string; config: object; judge?: { model: string } }>>;
  readonly cases: readonly {
    readonly id: string;
    readonly key: string;
    readonly scorer: string | null;
    readonly input: object;
    readonly expected: unknown;
    readonly advisory: { readonly expires_at: string } | null;
  }[];
}

test('the program of docs/digest.md prints what the page shows', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'suite.json'), block('json'));
  writeFileSync(path.join(folder, 'digest.mjs'), block('js'));
  const said = spawnSync(process.execPath, ['digest.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(said).toMatchObject({ status: 0, stderr: '', stdout: block('text') });
});

test('the digests of docs/digest.md are those of the service', () => {
  const { scorers, cases, ...bar } = JSON.parse(block('json')) as Example;
  const judge = () => ({ ...scorers['is polite']?.judge, prompt_version: PROMPT_VERSION }) as never;
  const stored = (name: string) => ({
    id: name,
    dual_sided: false,
    precision_threshold: null,
    recall_threshold: null,
    ...scorers[name],
  });
  const suite = cases.map(({ input, expected, advisory, scorer, ...own }) => ({
    ...own,
    input_digest: documentDigest(input),
    expected_digest: documentDigest(expected),
    advisory_until: advisory?.expires_at ?? null,
    scorer: scorer === null ? null : stored(scorer),
  }));
  const lines = suite.flatMap((one) => {
    const scorer =
      one.scorer && scorerDigest(one.scorer as never, 'judge' in one.scorer ? judge() : undefined);
    const { input_digest: inputDigest, expected_digest: expectedDigest, advisory_until } = one;
    const advisory = advisory_until === null ? null : { expires_at: advisory_until };
    const own = caseDigest({ ...one, inputDigest, expectedDigest, advisory, scorerDigest: scorer } as never);
    return [
      one.key,
      `  input ${inputDigest}`,
      `  expected ${expectedDigest}`,
      `  scorer ${scorer}`,
      `  case ${own}`,
    ];
  });
  const { pass_threshold: passThreshold, gates } = bar;
  const digest = digestOf({ passThreshold, gates, cases: suite as never }, judge);
  expect(block('text')).toContain(`${lines.join('\n')}\n${digest.replace('sha256:', 'suite ')}\n`);
});

test('the digests of outputs of docs/digest.md are those of the service', () => {
  const [gated = '', tone = ''] = (JSON.parse(block('json')) as Example).cases.map(({ id }) => id);
  const apology = outputDigest({ output: 'Sorry! It comes on Monday.' }, { lang: 'en' });
  const error = outputDigest({ error: 'the model timed out' }, {});
  const deadline = outputDigest({ output: 'Within 30 days.' }, {});
  const all = outputsDigest([
    [gated, 0, deadline],
    [tone, 1, error],
    [tone, 0, apology],
  ]);
  const trace = traceOf([
    { type: 'call', tool: 'lookup', arguments: { order: 'A1' } },
    { type: 'call', tool: 'refund', error: 'timeout' },
  ]);
  const deeds = outputDigest({ output: 'Done.' }, {}, { trace });
  for (const digest of [apology, error, deadline, deeds]) expect(block('text')).toContain(`\n  ${digest}\n`);
  expect(block('text')).toContain(`\nresult of two samples ${resultDigest([apology, error])}\n`);
  expect(block('text')).toContain(`\nall outputs ${all.replace('sha256:', '')}\n`);
});

test('docs/digest.md names the versions in force', () => {
  expect(page.text).toContain(`\`${PROMPT_VERSION}\``);
  expect(page.text).toContain(`\`scoring\` is in the answer, too: ${SCORING_VERSION}.`);
});
