import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { type RunningService, startService, temporaryFolder } from '../../support/service.ts';

/** The one file of a scorer that the product does not have: it scores 1 where the output ends as configured. */
const ENDS_WITH = `import * as z from 'zod';
import type { DeterministicScorer, ScorerError } from '../engine/definition.ts';
import { erroredOutcome } from '../engine/errors.ts';

const EMPTY: ScorerError = {
  code: 'OUTPUT_EMPTY',
  fault: 'candidate',
  reason: 'an empty output has no end: send one',
};
const configSchema = z.strictObject({ suffix: z.string().min(1) });

export const endsWith: DeterministicScorer<z.infer<typeof configSchema>> = {
  type: 'ends_with',
  configSchema: () => configSchema,
  errors: [EMPTY],
  repeats: ['suffix'],
  check: ({ suffix }) =>
    suffix.includes('\\n') ? [{ path: 'config.suffix', message: 'must be one line' }] : [],
  compile: ({ suffix }) => ({
    guard: null,
    usesExpected: false,
    score({ text }) {
      if (text === '') return erroredOutcome(EMPTY);
      const score = text.endsWith(suffix) ? 1 : 0;
      const reason = score === 1 ? 'output ends as configured' : 'output ends otherwise';
      return { score, reason, output: { suffix, end: text.slice(-suffix.length) }, errored: false };
    },
    reset() {},
  }),
};
`;

let folder: string;
let service: RunningService;
let client: Api;

/** A copy of the product with the scorer's file, and its entry in the registry. */
function copyWithScorer(): string {
  const copy = temporaryFolder();
  for (const name of ['functions', 'shared', 'infra', 'clients', 'scripts', 'package.json']) {
    cpSync(path.join(REPOSITORY_DIR, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(REPOSITORY_DIR, 'node_modules'), path.join(copy, 'node_modules'));
  mkdirSync(path.join(copy, 'data'));
  writeFileSync(path.join(copy, 'shared/scoring/scorers/endsWith.ts'), ENDS_WITH);
  const registry = path.join(copy, 'shared/scoring/registry.ts');
  const text = readFileSync(registry, 'utf8')
    .replace('\n  llmJudge,\n', '\n  llmJudge,\n  endsWith,\n')
    .replace(/^import \{ llmJudge \}/m, "import { endsWith } from './scorers/endsWith.ts';\n$&");
  writeFileSync(registry, text);
  const writing =
    "const types = await import('./scripts/documents/scorerTypes.ts');" +
    'process.getBuiltinModule("fs").writeFileSync(types.SCORER_TYPES_FILE, types.scorerTypesSource());';
  execFileSync(NODE, ['--input-type=module', '-e', writing], { cwd: copy });
  return copy;
}

beforeAll(async () => {
  folder = copyWithScorer();
  service = await startService({
    dataDir: path.join(folder, 'data'),
    command: [NODE, path.join(folder, 'infra/local/main.ts')],
  });
  // The repository's OpenAPI document does not know the scorer.
  client = api(service.baseUrl, service.apiKey, () => {});
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a new scorer is its file and its entry in the registry: its configs are checked when they are written', async () => {
  const project = await makeProject(client);
  const create = (config: unknown) =>
    client('POST', `/v1/projects/${project.slug}/scorers`, { name: 'Ends well', type: 'ends_with', config });
  expect((await create({ suffix: '.' })).body.data).toMatchObject({
    type: 'ends_with',
    config: { suffix: '.' },
  });
  for (const config of [{}, { suffix: '' }, { suffix: '.', more: 1 }, { suffix: 'a\nb' }]) {
    expect((await create(config)).status).toBe(400);
  }
});

test('its cases are scored, stored, packed and answered like those of any other, its own error included', async () => {
  const project = await makeProject(client);
  const suite = await makeSuite(client, project);
  const scorer = await makeScorer(client, project, { type: 'ends_with', config: { suffix: 'Goodbye.' } });
  await makeCase(client, suite, scorer, { name: 'says goodbye' });
  const outcomes = [];
  for (const output of ['Thank you. Goodbye.', 'Thank you.', '']) {
    const { status, body } = await client('POST', '/v1/run', {
      project: project.slug,
      suite: suite.slug,
      output,
    });
    expect(status).toBe(200);
    const { data } = (await client('GET', `/v1/runs/${body.id}/results`)).body;
    outcomes.push([body.status, body.fault, data[0].reason, data[0].scorer_output]);
  }
  expect(outcomes).toEqual([
    ['cleared', undefined, 'output ends as configured', { suffix: 'Goodbye.', end: 'Goodbye.' }],
    ['aborted', undefined, 'output ends otherwise', { suffix: 'Goodbye.', end: 'ank you.' }],
    ['aborted', 'candidate', 'an empty output has no end: send one', { error: 'OUTPUT_EMPTY' }],
  ]);
});
