import type { Api } from '../test/support/api.ts';
import { signUp } from '../test/support/api.ts';
import { makeProject } from '../test/support/builders.ts';
import { startEngineTable, TABLE_NAME } from '../test/support/ownService.ts';
import { type RunningService, startService } from '../test/support/service.ts';
import { processorMs } from './floor/processorTime.ts';
import { loggedUnits } from './loggedUnits.ts';
import type { Bench, Bound, Row } from './result.ts';

const CASES = { full: [100, 1_000, 10_000], smallest: [2, 4, 8] } as const;
/** Beside the one of the rate limit. */
const SAME_READ_UNITS = 10;
const UNITS_A_CHANGED_CASE = 1.3;
const SECONDS = { push: 3, plan: 5 };

const text = (index: number, round: number): string =>
  `Question ${index} of round ${round}: may I return it, and how long does it take until I have my money back?`;

const definitionOf = (suite: string, cases: number, round: number) => ({
  ...{ version: 1, suite, pass_threshold: 0.9 },
  scorers: {
    'says-30-days': { type: 'contains', config: { values: ['30 days'] } },
    'names-days': { type: 'regex', config: { pattern: 'within \\w+ working days' } },
  },
  cases: Array.from({ length: cases }, (_, index) => ({
    key: `case-${index}`,
    scorer: index % 2 === 0 ? 'says-30-days' : 'names-days',
    input: { question: text(index, round) },
  })),
});

interface Pushing {
  readonly service: RunningService;
  readonly client: Api;
  readonly path: string;
}

interface Took {
  readonly seconds: number;
  readonly processorMs: number;
  readonly read: number;
  readonly write: number;
}

async function push({ service, client, path }: Pushing, body: object): Promise<Took> {
  const sent = JSON.stringify(body);
  const before = processorMs(service.process.pid ?? 0);
  const sentMs = performance.now();
  const answer = await client('PUT', path, sent);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body).slice(0, 500));
  const seconds = (performance.now() - sentMs) / 1_000;
  const [units] = loggedUnits(service, 'definitions/put').slice(-1);
  return {
    seconds,
    processorMs: processorMs(service.process.pid ?? 0) - before,
    read: units?.read_units ?? Number.NaN,
    write: units?.write_units ?? Number.NaN,
  };
}

async function rowsOf(pushing: Pushing, cases: number, isBounded: boolean): Promise<Row[]> {
  const suite = `suite-${cases}`;
  const to = { ...pushing, path: `${pushing.path}/${suite}/definition` };
  const first = { definition: definitionOf(suite, cases, 1) };
  const second = { definition: definitionOf(suite, cases, 2), allow_weaker: true };
  const made = await push(to, first);
  const plan = await push(to, { ...second, dry_run: true });
  const changed = await push(to, second);
  const same = await push(to, second);
  const row = (what: string, value: number, unit: string, bound?: Bound): Row => ({
    metric: `push of ${cases} cases, ${what}`,
    value,
    unit,
    ...(bound && { bound }),
  });
  const atMost = (most: number): Bound | undefined => (isBounded ? { atMost: most } : undefined);
  const isLarge = cases === Math.max(...CASES.full);
  return [
    row('all new', made.seconds, 's', atMost(SECONDS.push)),
    row('all new', made.write / cases, 'write units a case'),
    row('all changed, plan only', plan.seconds, 's', isLarge ? { atMost: SECONDS.plan } : undefined),
    row('all changed, plan only', plan.read, 'read units'),
    row('all changed', changed.seconds, 's', atMost(SECONDS.push)),
    row('all changed', changed.processorMs, 'ms of processor time'),
    row('all changed', changed.write / cases, 'write units a case', atMost(UNITS_A_CHANGED_CASE)),
    row('nothing changed', same.read, 'read units', { atMost: SAME_READ_UNITS }),
    row('nothing changed', same.write, 'write units', { atMost: 1 }),
  ];
}

/** Measures pushes of definitions over HTTP: of new cases, of changed ones, and of what is there already. */
export const benchPushes: Bench = async (size) => {
  const own = await startEngineTable();
  const service = await startService({ env: { DYNAMODB_ENDPOINT: own.endpoint, TABLE_NAME } });
  try {
    const client = await signUp(service.baseUrl);
    const { slug } = await makeProject(client, {});
    const pushing = { service, client, path: `/v1/projects/${slug}/suites` };
    const rows: Row[] = [];
    for (const [index, cases] of CASES[size].entries()) {
      rows.push(...(await rowsOf(pushing, cases, index === 1)));
    }
    return rows;
  } finally {
    await service.stop();
    await own.stop();
  }
};
