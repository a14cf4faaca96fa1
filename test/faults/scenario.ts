import { Clients } from './clients.ts';
import type { Expected } from './edits/auditRun.ts';
import { auditTheEnd } from './finalAudit.ts';
import {
  type JudgeOf,
  makeSuite,
  type Organisation,
  type SuiteFixture,
  type SuiteShape,
} from './fixtures.ts';
import { SECRET } from './knownKeys.ts';
import { type Faults, NO_FAULTS } from './processes.ts';
import { ANSWERS } from './provider.ts';
import type { Random } from './random.ts';
import { auditRevoked, auditSecrecy, auditSeparation } from './secrecy.ts';
import type { Engine, ServiceSettings } from './settings.ts';
import { SimulatedService } from './simulatedService.ts';
import { Simulation } from './simulation.ts';

export interface Scene {
  readonly service: SimulatedService;
  readonly clients: Clients;
  readonly random: Random;
  readonly suites: readonly SuiteFixture[];
  /** Of the first organisation, unless another is named. */
  suite(shape: SuiteShape, org?: Organisation): Promise<SuiteFixture>;
}

export interface Scenario extends Expected {
  readonly name: string;
  /** A play takes a second of the processor: `npm test` has fewer of them. */
  readonly isLarge?: boolean;
  /** How many `npm test` plays. */
  readonly seeds?: number;
  readonly settings?: (random: Random) => Partial<ServiceSettings>;
  /** Makes suites and clients; what they do begins when it is over. */
  readonly begin: (scene: Scene) => Promise<void>;
  /** When faults stop. */
  readonly faultyMs?: number;
  readonly judge?: JudgeOf;
  /** What must be true at the end in particular. */
  readonly end?: (scene: Scene) => Promise<void> | void;
}

export interface Ended {
  readonly fingerprint: string;
  readonly runs: number;
  readonly given: number;
  readonly deaths: number;
  readonly calls: number;
  readonly inFlightMax: number;
}

const MINUTE_MS = 60_000;
/** Two clocks are 30 s apart at most. */
export const SKEW_MS_MAX = 15_000;
const LIVENESS_MS = 120 * MINUTE_MS;

export function drawFaults(random: Random): Faults {
  const rate = () => random.pick([0, 0.002, 0.01, 0.03]);
  return {
    throttled: rate(),
    conflict: rate(),
    storm: random.pick([0, 0, 0.05, 0.3]),
    ambiguous: rate(),
    repeated: random.pick([0, 0.01, 0.05]),
    slow: random.pick([0, 0.02, 0.1]),
    kill: random.pick([0, 0.05, 0.2, 0.4]),
    queue: random.pick([0, 0.02, 0.1, 0.3]),
    freeze: random.pick([0, 0, 0, 0.02]),
    vault: random.pick([0, 0, 0.02, 0.1]),
  };
}

const drawSettings = (random: Random): ServiceSettings => ({
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
  skewMs: random.pick([0, 2_000, SKEW_MS_MAX]),
  hasSweeper: true,
});

/** Plays one scenario under one seed to its end; throws at the first thing that must not happen. */
export async function play(scenario: Scenario, seed: number, engine: Engine): Promise<Ended> {
  const sim = new Simulation(scenario.name, seed);
  const settings = { ...drawSettings(sim.random), ...scenario.settings?.(sim.random) };
  const service = new SimulatedService(sim, engine, await engine.open(sim.now), settings);
  const { conclusive = false, end } = scenario;
  const clients = new Clients(service, { mayFail: !conclusive && end === undefined });
  const suites: SuiteFixture[] = [];
  const scene: Scene = {
    service,
    clients,
    random: sim.random,
    suites,
    async suite(shape, org = service.org) {
      const made = await makeSuite(service.direct, org, shape, sim.random);
      for (const [id, document] of org.scorerDocuments) service.auditor.bars.scorers.set(id, document);
      await service.auditor.bars.record(org.orgId, made.suite.id, sim.now());
      suites.push(made);
      return made;
    },
  };
  try {
    await service.addOrganisation(scenario.judge ?? { provider: 'openai' });
    await scenario.begin(scene);
    service.faults = settings.faults;
    service.start();
    const faultyMs = scenario.faultyMs ?? sim.random.int(1, 10) * MINUTE_MS;
    sim.after(faultyMs, 'faults end', () => {
      service.faults = NO_FAULTS;
      service.provider.settings = { ...settings.provider, trouble: 0 };
    });
    const isOver = () => clients.active === 0 && isQuiet(service);
    if (!(await sim.until(isOver, faultyMs + LIVENESS_MS))) sim.violated(notOver(service, clients));
    sim.check();
    await auditTheEnd(service, clients, suites, scenario);
    await scenario.end?.(scene);
    const stored = await engine.everyItem();
    auditSecrecy(service, stored, SECRET);
    auditSeparation(service, clients, stored);
    auditRevoked(service, stored);
  } catch (error) {
    throw new Error(`${scenario.name}, seed ${seed}: ${error}\n${sim.lastEvents()}`, { cause: error });
  } finally {
    await engine.close();
  }
  const given = [...service.auditor.runs.values()].filter(({ givesBack }) => givesBack).length;
  const { total: calls, inFlightMax } = service.provider;
  const { deaths } = service;
  return {
    fingerprint: sim.fingerprint(),
    runs: service.auditor.runs.size,
    given,
    deaths,
    calls,
    inFlightMax,
  };
}

function isQuiet({ auditor, queue, deadLetters, invocations, provider }: SimulatedService): boolean {
  const messages = queue.size + deadLetters.size;
  return auditor.pending + messages + invocations + provider.inFlight === 0;
}

function notOver(
  { auditor, queue, deadLetters, invocations, provider }: SimulatedService,
  { active }: Clients,
): string {
  const counts = { pending: auditor.pending, messages: queue.size, dead: deadLetters.size };
  return `not over in time: ${JSON.stringify({ ...counts, invocations, active, calls: provider.inFlight })}`;
}
