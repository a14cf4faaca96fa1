import type { Judge, JudgeDeps, JudgeOutcome, JudgeRequest } from '../../shared/domain/evaluation/judge.ts';
import { Retries } from '../../shared/judge/retry.ts';
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
  /** Chance of each answer that is no verdict. */
  readonly trouble: number;
  readonly troubles: readonly AnswerKind[];
  readonly latencyMs: readonly [from: number, to: number];
}

/** Of one question: which run asks it, told by the label in its output, and which case. */
export interface Question {
  readonly provider: string;
  readonly run: string;
  readonly evalCase: string;
}

const CALL_TIMEOUT_MS = 45_000;
const SLOTS = 20;
const CALLS_MAX = 4;

/** What the scripted judge thinks of a case: always the same. */
export const scoreOf = (evalCase: string): number => (/bad/.test(evalCase) ? 0.2 : 0.9);

/** The provider's side of judge calls: how many are under way, and whether each may be made. */
export class SimulatedProvider {
  readonly #sim: Simulation;
  settings: ProviderSettings;
  readonly calls = new Map<string, number>();
  readonly #saved = new Set<string>();
  readonly #inFlight = new Map<string, number>();
  total = 0;
  inFlightMax = 0;

  constructor(sim: Simulation, settings: ProviderSettings) {
    this.#sim = sim;
    this.settings = settings;
  }

  get inFlight(): number {
    return [...this.#inFlight.values()].reduce((sum, count) => sum + count, 0);
  }

  /** From now on nobody may ask this again. */
  verdictSaved(run: string, evalCase: string): void {
    this.#saved.add(`${run}/${evalCase}`);
  }

  drawAnswer(): AnswerKind {
    const { random } = this.#sim;
    const { trouble, troubles } = this.settings;
    return random.chance(trouble) ? random.pick(troubles) : 'verdict';
  }

  /** One call: `act` happens when it gets there; it is under way until its answer is, whoever has died meanwhile. */
  async call<T>(process: Process, question: Question, kind: AnswerKind, act: () => Promise<T>): Promise<T> {
    const { provider, run, evalCase } = question;
    const { random } = this.#sim;
    const [from, to] = this.settings.latencyMs;
    const afterMs = kind === 'hangs' ? CALL_TIMEOUT_MS : random.int(from, to);
    const label = `call ${provider} ${run}/${evalCase} ${kind}`;
    const begun = async () => {
      this.#begin(provider, run, evalCase);
      this.#sim.after(afterMs, `${label} is over`, () => {
        this.#inFlight.set(provider, (this.#inFlight.get(provider) ?? 0) - 1);
      });
      return act();
    };
    return process.effect(label, begun, { beforeMs: random.int(0, 20), afterMs });
  }

  #begin(provider: string, run: string, evalCase: string): void {
    const name = `${run}/${evalCase}`;
    const calls = (this.calls.get(name) ?? 0) + 1;
    const inFlight = (this.#inFlight.get(provider) ?? 0) + 1;
    this.total++;
    this.calls.set(name, calls);
    this.#inFlight.set(provider, inFlight);
    this.inFlightMax = Math.max(this.inFlightMax, inFlight);
    if (calls > CALLS_MAX) this.#sim.violated(`${calls} calls for ${name}`);
    if (inFlight > SLOTS) this.#sim.violated(`${inFlight} calls to ${provider} under way at once`);
    if (this.#saved.has(name)) this.#sim.violated(`${name} was asked again after its verdict was saved`);
  }
}

export const questionOf = ({ provider, output, caseInput }: JudgeRequest): Question => ({
  provider,
  run: output.split(' ')[0] ?? '',
  evalCase: String((caseInput as { name?: unknown }).name),
});

/** The judge's port with the real rules of repetition over scripted answers. */
export function scriptedJudge(provider: SimulatedProvider, process: Process): Judge {
  return {
    async judge(request: JudgeRequest, deps: JudgeDeps): Promise<JudgeOutcome> {
      const question = questionOf(request);
      const retries = new Retries(deps, { callTimeoutMs: CALL_TIMEOUT_MS, caseTimeoutMs: 187_000 });
      for (;;) {
        let kind: AnswerKind;
        try {
          kind = await deps.withSlot(() => {
            const drawn = provider.drawAnswer();
            return provider.call(process, question, drawn, async () => drawn);
          });
        } catch (error) {
          if ((error as { code?: unknown }).code !== 'JUDGE_CONCURRENCY_EXCEEDED') throw error;
          return { kind: 'error', code: 'JUDGE_CONCURRENCY_EXCEEDED', reason: 'no slot' };
        }
        if (kind === 'verdict') return verdictFor(question);
        const failure = FAILURES[kind];
        const waitMs = retries.after(failure);
        if (waitMs === undefined) return { kind: 'error', code: failure.code, reason: kind };
        if (waitMs > 0) await deps.sleep(waitMs);
      }
    },
    testKey: async () => ({ kind: 'tested', valid: true }),
  };
}

const verdictFor = ({ evalCase }: Question): JudgeOutcome => ({
  kind: 'verdict',
  score: scoreOf(evalCase),
  reason: `because of ${evalCase}`,
  rawResponse: { said: evalCase },
  usage: { input_tokens: 10, output_tokens: 2 },
});

const FAILURES = {
  limited: { code: 'JUDGE_RATE_LIMITED', reason: '429', remedy: 'wait' },
  limited_until: {
    code: 'JUDGE_RATE_LIMITED',
    reason: '429',
    remedy: 'wait',
    headers: new Headers({ 'retry-after': '20' }),
  },
  broken: { code: 'JUDGE_UNAVAILABLE', reason: '500', remedy: 'wait' },
  hangs: { code: 'JUDGE_TIMEOUT', reason: 'silence', remedy: 'wait' },
  cut: { code: 'JUDGE_UNAVAILABLE', reason: 'half an answer', remedy: 'wait' },
  garbage: { code: 'JUDGE_UNPARSABLE', reason: 'prose', remedy: 'ask_again' },
  noise: { code: 'JUDGE_UNPARSABLE', reason: 'no JSON', remedy: 'ask_again' },
  refuses: { code: 'JUDGE_REFUSED', reason: 'refused', remedy: 'none' },
} as const;
