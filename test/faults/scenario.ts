import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ensureTable } from '../../shared/storage/ensureTable.ts';
import { Clients } from './clients.ts';
import { auditSecrecy, auditTheEnd } from './finalAudit.ts';
import { type JudgeOf, makeSuite, type SuiteFixture, type SuiteShape } from './fixtures.ts';
import { type Faults, NO_FAULTS } from './processes.ts';
import { ANSWERS } from './provider.ts';
import type { Random } from './random.ts';
import type { Engine, WorldSettings } from './settings.ts';
import { Simulation } from './simulation.ts';
import { World } from './world.ts';

export interface Scene {
  readonly world: World;
  readonly clients: Clients;
  readonly random: Random;
  suite(shape: SuiteShape): Promise<SuiteFixture>;
}

export interface Scenario {
  readonly name: string;
  readonly settings?: (random: Random) => Partial<WorldSettings>;
  /** Makes suites and clients; what they do begins when it is over. */
  readonly begin: (scene: Scene) => Promise<void>;
  /** When faults stop. */
  readonly faultyMs?: number;
  /** Suites change while their runs are under way. */
  readonly edited?: boolean;
  readonly judge?: JudgeOf;
  /** What must be true at the end in particular. */
  readonly end?: (scene: Scene) => void;
}

export interface Ended {
  readonly fingerprint: string;
  readonly runs: number;
  readonly given: number;
  readonly deaths: number;
  readonly calls: number;
  readonly inFlightMax: number;
}

export const SECRET = 'sk-proj-harness-Zx81kQ0vTn37LmYwRb52';
const MINUTE_MS = 60_000;
const LIVENESS_MS = 120 * MINUTE_MS;

export function drawFaults(random: Random): Faults {
  const rate = () => random.pick([0, 0.002, 0.01, 0.03]);
  return {
    throttled: rate(),
    conflict: rate(),
    ambiguous: rate(),
    repeated: random.pick([0, 0.01, 0.05]),
    slow: random.pick([0, 0.02, 0.1]),
    kill: random.pick([0, 0.05, 0.2, 0.4]),
    queue: random.pick([0, 0.02, 0.1, 0.3]),
  };
}

const drawSettings = (random: Random): WorldSettings => ({
  faults: drawFaults(random),
  provider: {
    trouble: random.pick([0, 0.05, 0.2, 0.5]),
    troubles: ANSWERS.filter((kind) => kind !== 'verdict' && random.chance(0.7)).concat('broken'),
    latencyMs: random.pick([
      [200, 800],
      [1_000, 6_000],
      [500, 30_000],
    ] as const),
  },
  isShared: random.chance(0.3),
  evaluators: random.int(1, 5),
  batchMax: random.pick([1, 3, 10]),
  visibilityMs: random.pick([60_000, 300_000, 960_000]),
  retryMs: random.chance(0.5) ? 30_000 : undefined,
});

/** Plays one scenario under one seed to its end; throws at the first thing that must not happen. */
export async function play(scenario: Scenario, seed: number, engine: Engine): Promise<Ended> {
  const sim = new Simulation(scenario.name, seed);
  const settings = { ...drawSettings(sim.random), ...scenario.settings?.(sim.random) };
  await ensureTable(engine);
  const world = new World(sim, engine, settings);
  const clients = new Clients(world);
  const suites: SuiteFixture[] = [];
  const scene: Scene = {
    world,
    clients,
    random: sim.random,
    async suite(shape) {
      const made = await makeSuite(world.direct, world.org, shape);
      suites.push(made);
      return made;
    },
  };
  try {
    await world.prepare(scenario.judge ?? { provider: 'openai' });
    await scenario.begin(scene);
    world.faults = settings.faults;
    world.start();
    const faultyMs = scenario.faultyMs ?? sim.random.int(1, 10) * MINUTE_MS;
    sim.after(faultyMs, 'faults end', () => {
      world.faults = NO_FAULTS;
      world.provider.settings = { ...settings.provider, trouble: 0 };
    });
    const isOver = () => clients.active === 0 && isQuiet(world);
    if (!(await sim.until(isOver, faultyMs + LIVENESS_MS))) sim.violated(notOver(world, clients));
    sim.check();
    await auditTheEnd(world, clients, suites, scenario);
    scenario.end?.(scene);
    auditSecrecy(world, await everyItem(engine), SECRET);
  } catch (error) {
    throw new Error(`${scenario.name}, seed ${seed}: ${error}\n${sim.lastEvents()}`, { cause: error });
  } finally {
    const client = new DynamoDBClient({ endpoint: engine.endpoint });
    await client.send(new DeleteTableCommand({ TableName: engine.tableName }));
    client.destroy();
  }
  const given = [...world.auditor.runs.values()].filter(({ givesBack }) => givesBack).length;
  const { total: calls, inFlightMax } = world.provider;
  const { deaths } = world;
  return { fingerprint: sim.fingerprint(), runs: world.auditor.runs.size, given, deaths, calls, inFlightMax };
}

function isQuiet({ auditor, queue, deadLetters, invocations, provider }: World): boolean {
  const messages = queue.size + deadLetters.size;
  return auditor.pending + messages + invocations + provider.inFlight === 0;
}

function notOver({ auditor, queue, deadLetters, invocations, provider }: World, { active }: Clients): string {
  const counts = { pending: auditor.pending, messages: queue.size, dead: deadLetters.size };
  return `not over in time: ${JSON.stringify({ ...counts, invocations, active, calls: provider.inFlight })}`;
}

async function everyItem({ endpoint, tableName }: Engine): Promise<unknown[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  const items: unknown[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey: from }));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  client.destroy();
  return items;
}
