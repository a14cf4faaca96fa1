import { afterAll, afterEach } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import type {
  JudgeDeps,
  JudgeOutcome,
  JudgeRequest,
} from '../../../shared/domain/evaluation/judging/ports.ts';
import { createJudge } from '../../../shared/judge/judge.ts';
import { type JudgeSettings, judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { type ProviderName, startProviders } from '../../support/providers.ts';

export const ALL: readonly ProviderName[] = ['openai', 'anthropic', 'google', 'azure_openai'];
export const KEY = 'sk-proj-Zx81kQ0vTn37LmYwRb52HdSe9uJc';

export const requestOf = (overrides: Partial<JudgeRequest> = {}): JudgeRequest => ({
  provider: 'openai',
  apiKey: new Secret(KEY),
  model: undefined,
  rubric: 'Judge whether the output names the capital.',
  scale: [
    { score: 0, label: 'wrong', description: 'Another town.' },
    0.5,
    0.75,
    { score: 1, label: 'right', description: 'The capital.' },
  ],
  candidate: { output: 'output-Paris', input: { question: 'run-question' } },
  caseInput: { country: 'case-France' },
  expected: 'expected-Paris',
  dualSided: false,
  ...overrides,
});

interface Trace {
  readonly waitsMs: number[];
  readonly delimiters: string[];
  slots: { taken: number; held: number; heldAtSleep: number };
}

/** Dependencies that never really wait; `random` is 0.5, so that a full-jitter wait is half its bound. */
function tracedDeps(overrides: Partial<JudgeDeps> = {}): { deps: JudgeDeps; trace: Trace } {
  const trace: Trace = { waitsMs: [], delimiters: [], slots: { taken: 0, held: 0, heldAtSleep: 0 } };
  const deps: JudgeDeps = {
    async withSlot(call) {
      trace.slots.taken += 1;
      trace.slots.held += 1;
      try {
        return { kind: 'made', value: await call() };
      } finally {
        trace.slots.held -= 1;
      }
    },
    async sleep(ms) {
      trace.slots.heldAtSleep = Math.max(trace.slots.heldAtSleep, trace.slots.held);
      trace.waitsMs.push(ms);
    },
    random: () => 0.5,
    now: () => Date.parse('2026-11-02T10:00:00Z'),
    newDelimiter() {
      const delimiter = (trace.delimiters.length + 1).toString(16).padStart(2, '0').repeat(16);
      trace.delimiters.push(delimiter);
      return delimiter;
    },
    ...overrides,
  };
  return { deps, trace };
}

interface Judged {
  readonly outcome: JudgeOutcome;
  readonly trace: Trace;
}

type JudgeOnce = (
  overrides?: Partial<JudgeRequest>,
  deps?: Partial<JudgeDeps>,
  settings?: Partial<JudgeSettings>,
) => Promise<Judged>;

/** Stand-ins for the providers, until the tests of a file end, and a judge that calls them. */
export async function startJudging() {
  const providers = await startProviders();
  afterEach(() => providers.reset());
  afterAll(() => providers.stop());
  const fromEnv = judgeSettingsFromEnv(providers.env);
  const judgeOnce: JudgeOnce = async (overrides = {}, depsOverrides = {}, settings = {}) => {
    const { deps, trace } = tracedDeps(depsOverrides);
    const model = overrides.provider === 'azure_openai' ? providers.azureModel() : undefined;
    const judge = createJudge({ ...fromEnv, ...settings });
    return { outcome: await judge.judge(requestOf({ model, ...overrides }), deps), trace };
  };
  return { providers, judgeOnce };
}
