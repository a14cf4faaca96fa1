import type { JudgeRequest } from '../../shared/domain/evaluation/judging/ports.ts';
import { KnownKeys } from './knownKeys.ts';
import type { Process } from './processes.ts';
import type { Simulation } from './simulation.ts';

export const ANSWERS = [
  'verdict',
  'limited',
  'limited_until',
  'broken',
  'hangs',
  'cut',
  'garbage',
  'noise',
  'refuses',
] as const;
export type AnswerKind = (typeof ANSWERS)[number];

export interface ProviderSettings {
  /** Probability of each kind of failing answer. */
  readonly trouble: number;
  readonly troubles: readonly AnswerKind[];
  readonly latencyMs: readonly [from: number, to: number];
}

/** A judge call: its run (by the label in the output), its case, its sample and its key. */
export interface Question {
  readonly provider: string;
  readonly run: string;
  /** With the sample, where an output says which one it is. */
  readonly asked: string;
  readonly score: number;
  readonly apiKey: string;
}

export const CALL_TIMEOUT_MS = 45_000;
const SLOTS = 20;
const SEATS = 2;
const CALLS_OF_A_VOTE_MAX = 4;
/** A call that was about to be made when its process froze is made within this time. */
const WAKING_MS = 200;
/** The same with one slow write in between. */
const LATE_MS = 15_000;

/** The scripted judge's constant score of an output of a case. */
export const scoreOf = (evalCase: string, output: string): number =>
  /bad/.test(evalCase) || / poor/.test(output) ? 0.2 : 0.9;

/** Names what a judge is asked: a case, or one of its samples. */
export const askedOf = (evalCase: string, output: string): string =>
  [evalCase, ...(/ s\d$/.exec(output) ?? [])].join('');

/** The provider: counts concurrent judge calls and checks that each is allowed. */
export class SimulatedProvider {
  readonly #sim: Simulation;
  settings: ProviderSettings;
  readonly calls = new Map<string, number>();
  readonly keys: KnownKeys;
  readonly #askers = new Map<string, string>();
  readonly #savedAtMs = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();
  /** The processes whose calls are under way, dead ones included. */
  readonly #callers = new Map<string, Process[]>();
  /** How often at most a judge is asked about an output, but for repetitions. */
  votes = 1;
  total = 0;
  inFlightMax = 0;
  /** From the first call to the last one: how many were under way before each, by the time until it began. */
  #calledMs: { first: number; last: number; busy: number } | undefined;

  constructor(sim: Simulation, settings: ProviderSettings) {
    this.#sim = sim;
    this.keys = new KnownKeys(sim);
    this.settings = settings;
  }

  get inFlight(): number {
    return [...this.#inFlight.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Processes with calls under way. */
  get evaluators(): number {
    return new Set([...this.#callers.values()].flat()).size;
  }

  /** Records the organisation of the run with this label. */
  askedBy(run: string, orgId: string): void {
    this.#askers.set(run, orgId);
  }

  /** After this the same call is a violation. */
  verdictSaved(run: string, asked: string): void {
    const name = `${run}/${asked}`;
    if (!this.#savedAtMs.has(name)) this.#savedAtMs.set(name, this.#sim.now());
  }

  drawAnswer(): AnswerKind {
    const { random } = this.#sim;
    const { trouble, troubles } = this.settings;
    return random.chance(trouble) ? random.pick(troubles) : 'verdict';
  }

  /** One call: `act` happens when it gets there; it is under way until its answer is, even if its caller has died meanwhile. */
  async call<T>(process: Process, question: Question, kind: AnswerKind, act: () => Promise<T>): Promise<T> {
    const { provider, run, asked } = question;
    const { random } = this.#sim;
    const [from, to] = this.settings.latencyMs;
    const afterMs = kind === 'hangs' ? CALL_TIMEOUT_MS : random.int(from, to);
    const label = `call ${provider} ${run}/${asked} ${kind}`;
    const begun = async () => {
      this.#begin(process, question);
      // A process that froze between taking a slot and calling cannot be stopped.
      if (process.awakeMs < WAKING_MS) return act();
      const lane = `${this.#askers.get(run)} ${provider}`;
      this.#underWay(provider, lane, process);
      this.#sim.after(afterMs, `${label} is over`, () => {
        this.#inFlight.set(lane, (this.#inFlight.get(lane) ?? 0) - 1);
        const callers = this.#callers.get(lane) ?? [];
        callers.splice(callers.indexOf(process), 1);
      });
      return act();
    };
    return process.effect(label, begun, { beforeMs: random.int(0, 20), afterMs });
  }

  /** A key test, the only call without a run. */
  async testKey(process: Process, provider: string, apiKey: string): Promise<AnswerKind | 'rejects'> {
    const kind = this.drawAnswer();
    const [from, to] = this.settings.latencyMs;
    const afterMs = kind === 'hangs' ? CALL_TIMEOUT_MS : this.#sim.random.int(from, to);
    return process.effect(
      `test ${provider} ${kind}`,
      async () => {
        this.keys.check(process, apiKey, provider, undefined);
        return kind === 'verdict' && this.keys.rejected.has(apiKey) ? 'rejects' : kind;
      },
      { beforeMs: 1, afterMs },
    );
  }

  #begin(process: Process, question: Question): void {
    const name = `${question.run}/${question.asked}`;
    const calls = (this.calls.get(name) ?? 0) + 1;
    this.total++;
    this.calls.set(name, calls);
    if (calls > CALLS_OF_A_VOTE_MAX * this.votes) this.#sim.violated(`${calls} calls for ${name}`);
    if (this.#shouldKnow(process, this.#savedAtMs.get(name))) {
      this.#sim.violated(`${name} was asked again after its verdict was saved`);
    }
    this.keys.check(process, question.apiKey, question.provider, this.#askers.get(question.run));
  }

  /** A frozen holder may write late, so the process that took over its chunk need not know the verdict. */
  #shouldKnow(process: Process, savedAtMs: number | undefined): boolean {
    if (savedAtMs === undefined) return false;
    const { frozen } = this.#sim;
    if (frozen.size === 0) return true;
    if (frozen.size === 1 && frozen.has(process)) return process.awakeMs > LATE_MS;
    return savedAtMs < process.busySinceMs;
  }

  /** Calls under way while others waited. */
  get inFlightMean(): number {
    const { first, last, busy } = this.#calledMs ?? { first: 0, last: 0, busy: 0 };
    return busy / (last - first);
  }

  #underWay(provider: string, lane: string, process: Process): void {
    const now = this.#sim.now();
    this.#calledMs ??= { first: now, last: now, busy: 0 };
    this.#calledMs.busy += this.inFlight * (now - this.#calledMs.last);
    this.#calledMs.last = now;
    const callers = [...(this.#callers.get(lane) ?? []), process];
    this.#callers.set(lane, callers);
    const evaluators = new Set(callers).size;
    if (evaluators > SEATS) this.#sim.violated(`${evaluators} evaluators call ${provider} at once`);
    const inFlight = (this.#inFlight.get(lane) ?? 0) + 1;
    this.#inFlight.set(lane, inFlight);
    this.inFlightMax = Math.max(this.inFlightMax, inFlight);
    if (inFlight > SLOTS) this.#sim.violated(`${inFlight} calls to ${provider} under way at once`);
  }
}

export function questionOf({ provider, candidate, caseInput, apiKey }: JudgeRequest): Question {
  const { output } = candidate;
  const evalCase = String((caseInput as { name?: unknown }).name);
  return {
    provider,
    run: output.split(' ')[0] ?? '',
    asked: askedOf(evalCase, output),
    score: scoreOf(evalCase, output),
    apiKey: apiKey.reveal(),
  };
}
