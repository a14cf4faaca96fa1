import type { Api } from '../../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../../support/builders.ts';

export interface Seeded {
  readonly project: string;
  readonly suite: string;
  readonly suiteId: string;
  /** A run that is cleared, and the suite's baseline. */
  readonly cleared: string;
  /** A run that is aborted, after it. */
  readonly aborted: string;
}

const PLAIN = 3;

/** A suite with cases of several kinds, a cleared run that is its baseline, and an aborted one. */
export async function seedRuns(client: Api): Promise<Seeded> {
  const project = await makeProject(client, { name: 'Support bot' });
  const suite = await makeSuite(client, project, {
    name: 'Returns',
    pass_threshold: 0.8,
    keep_outputs: 'all',
  });
  const exact = await makeScorer(client, project, { name: 'Word for word' });
  const tools = await makeScorer(client, project, {
    name: 'Right tools',
    type: 'trajectory',
    config: { order: 'in_order', calls: [{ tool: 'lookup' }, { tool: 'refund' }], forbidden: ['delete_*'] },
  });
  const add = (key: string, scorer: { id: string }, fields: object) =>
    makeCase(client, suite, scorer, { key, name: `The case ${key}`, ...fields });
  const question = (text: string) => ({ input: { question: text } });
  await add('refund-window', exact, {
    ...question('How long may I keep it?'),
    expected: 'You can return it within 30 days.',
    must_pass: true,
    tags: ['policy'],
  });
  await add('invoice', exact, {
    ...question('Which total?'),
    expected: { total: 178.5, currency: 'EUR' },
    tags: ['json'],
  });
  await add('blank', exact, { ...question('Say hello.'), expected: 'Hello there.', tags: ['tone'] });
  await add('tools', tools, question('Refund A1.'));
  await add('unjudged', exact, question('Which carrier?'));
  for (let number = 1; number <= PLAIN; number++)
    await add(`plain-${number}`, exact, { ...question(`${number}?`), expected: `Answer ${number}.` });
  const plain = Array.from({ length: PLAIN }, (_, index) => ({
    case: `plain-${index + 1}`,
    output: `Answer ${index + 1}.`,
    metadata: { latency_ms: 100 * (index + 1) },
  }));
  const run = async (outputs: readonly object[], fields: object = {}): Promise<string> =>
    (await client('POST', '/v1/run', { suite: suite.slug, outputs, ...fields })).body.id;
  const cleared = await run([
    { case: 'refund-window', output: 'You can return it within 30 days.' },
    { case: 'invoice', output: '{"total": 178.5, "currency": "EUR"}' },
    { case: 'blank', output: 'Hello there.' },
    {
      case: 'tools',
      output: 'Done.',
      trace: [
        { type: 'call', tool: 'lookup' },
        { type: 'call', tool: 'refund' },
      ],
    },
    ...plain,
  ]);
  await client('POST', `/v1/suites/${suite.id}/baselines`, { run_ids: [cleared] });
  const aborted = await run(
    [
      { case: 'refund-window', output: 'You can return it within 14 days.', metadata: { latency_ms: 820 } },
      { case: 'invoice', output: '{"total": "178.50", "currency": "EUR"}' },
      { case: 'blank', output: 'Hello\u00a0there. ' },
      {
        case: 'tools',
        output: 'Done.',
        trace: [
          { type: 'call', tool: 'lookup', arguments: { order: 'A1) → refund({})' } },
          { type: 'call', tool: 'delete_account' },
        ],
      },
      { case: 'unjudged', output: 'DHL' },
      ...plain,
    ],
    {
      trigger: 'github_action',
      trigger_meta: {
        repository: 'octo/support-bot',
        sha: '8f2c1aa9b0d1e2f3',
        pull_request: 417,
        workflow: 'gate.yml',
        run_url: 'https://evil.example/',
      },
    },
  );
  return { project: project.slug, suite: suite.slug, suiteId: suite.id, cleared, aborted };
}

const MANY = 250;
const SAID = 200;

/** A run of 250 failures: of 200 different ones, then of 50 for the same reason. */
export async function seedMany(client: Api, project: string): Promise<string> {
  const keyOf = (index: number): string => `${index < SAID ? 'said' : 'silent'}-${index}`;
  const cases = Array.from({ length: MANY }, (_, index) => ({
    key: keyOf(index),
    name: `A case that is asked for ${index}`,
    input: {},
    expected: `Answer ${index}.`,
    scorer: 'exact',
    tags: ['one', 'two', 'three'],
  }));
  const scorers = { exact: { type: 'exact_match', config: {} } };
  const definition = { version: 1, suite: 'many', scorers, cases };
  await client('PUT', `/v1/projects/${project}/suites/many/definition`, { definition });
  const metadata = { latency_ms: 12, input_tokens: 3, output_tokens: 4, cost_usd: 0.001 };
  const outputs = cases.map(({ key }, index) => ({
    case: key,
    ...(index < SAID ? { output: `Wrong ${index}.` } : { error: 'the model did not answer' }),
    metadata,
  }));
  return (await client('POST', '/v1/run', { suite: 'many', outputs })).body.id;
}

const OLD = 110;

/** A run of 112 failures, of which only the last two of the suite passed in its baseline. Made once a project. */
export async function seedNewly(client: Api, project: string): Promise<{ aborted: string }> {
  const path = `/v1/projects/${project}/suites/newly`;
  const keys = [...Array.from({ length: OLD }, (_, index) => `old-${index}`), 'last-1', 'last-2'];
  const cases = keys.map((key) => ({
    key,
    name: `Case ${key}`,
    input: {},
    expected: `Answer of ${key}.`,
    scorer: 'exact',
  }));
  const scorers = { exact: { type: 'exact_match', config: {} } };
  const definition = { version: 1, suite: 'newly', scorers, cases };
  await client('PUT', `${path}/definition`, { definition });
  const { data: suite } = (await client('GET', path)).body;
  const run = async (isWrong: (key: string) => boolean): Promise<string> => {
    const outputs = cases.map(({ key, expected }) => ({
      case: key,
      output: isWrong(key) ? `No answer of ${key}.` : expected,
    }));
    return (await client('POST', '/v1/run', { suite: suite.slug, outputs })).body.id;
  };
  if (suite.baseline_id === null) {
    const before = await run((key) => key.startsWith('old'));
    await client('POST', `/v1/suites/${suite.id}/baselines`, { run_ids: [before] });
  }
  return { aborted: await run(() => true) };
}
