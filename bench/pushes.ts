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
const SAME_READ_UNITS = 5;
const COPY_WRITE_UNITS = 20;
/** Of 1,000 cases. */
const MIDDLE = { seconds: 3, unitsAChangedCase: 0.6 };
/** Of 10,000 cases. */
const LARGE = { seconds: 20, planSeconds: 5, writeUnits: 4_000 };

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

async function rowsOf(pushing: Pushing, cases: number): Promise<Row[]> {
  const suite = `suite-${cases}`;
  const to = { ...pushing, path: `${pushing.path}/${suite}/definition` };
  const first = { definition: definitionOf(suite, cases, 1) };
  const second = { definition: definitionOf(suite, cases, 2), allow_weaker: true };
  const made = await push(to, first);
  const plan = await push(to, { ...second, dry_run: true });
  const changed = await push(to, second);
  const same = await push(to, second);
  const [, middle, large] = CASES.full;
  const row = (what: string, value: number, unit: string, bound?: Bound): Row => ({
    metric: `push of ${cases} cases, ${what}`,
    value,
    unit,
    ...(bound && { bound }),
  });
  const ifOf = (size: number, most: number): Bound | undefined =>
    cases === size ? { atMost: most } : undefined;
  const madeSeconds = ifOf(middle, MIDDLE.seconds) ?? ifOf(large, LARGE.seconds);
  return [
    row('all new', made.seconds, 's', madeSeconds),
    row('all new', made.processorMs, 'ms of processor time'),
    row('all new', made.write, 'write units', ifOf(large, LARGE.writeUnits)),
    row('all changed, plan only', plan.seconds, 's', ifOf(large, LARGE.planSeconds)),
    row('all changed, plan only', plan.read, 'read units'),
    row('all changed', changed.seconds, 's', ifOf(middle, MIDDLE.seconds)),
    row('all changed', changed.processorMs, 'ms of processor time'),
    row('all changed', changed.write / cases, 'write units a case', ifOf(middle, MIDDLE.unitsAChangedCase)),
    row('nothing changed', same.read, 'read units', { atMost: SAME_READ_UNITS }),
    row('nothing changed', same.write, 'write units', { atMost: 0 }),
  ];
}

/** Of each template into a project of its own: the dearest. */
async function rowOfCopies({ service, client }: Pushing): Promise<Row> {
  const { data } = (await client('GET', '/v1/templates')).body;
  for (const { slug: template_slug } of data) {
    const { slug } = await makeProject(client, {});
    const copied = await client('POST', `/v1/projects/${slug}/suites/from-template`, { template_slug });
    if (copied.status !== 201) throw new Error(JSON.stringify(copied.body));
  }
  const units = loggedUnits(service, 'suites/createFromTemplate').map(({ write_units }) => write_units);
  if (units.length !== data.length) throw new Error(`There are ${units.length} copies`);
  const metric = `copy of a template, the dearest of ${units.length}`;
  return { metric, value: Math.max(...units), unit: 'write units', bound: { atMost: COPY_WRITE_UNITS } };
}

/** Measures pushes of definitions over HTTP: of new cases, of changed ones, and of what is there already; and copies of templates. */
export const benchPushes: Bench = async (size) => {
  const own = await startEngineTable();
  const service = await startService({ env: { DYNAMODB_ENDPOINT: own.endpoint, TABLE_NAME } });
  try {
    const client = await signUp(service.baseUrl);
    const { slug } = await makeProject(client, {});
    const pushing = { service, client, path: `/v1/projects/${slug}/suites` };
    const rows: Row[] = [];
    for (const cases of CASES[size]) rows.push(...(await rowsOf(pushing, cases)));
    return [...rows, await rowOfCopies(pushing)];
  } finally {
    await service.stop();
    await own.stop();
  }
};
