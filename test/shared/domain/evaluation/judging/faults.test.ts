import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Fault } from '../../../../../shared/contracts/gates.ts';
import type { ChunkSummary } from '../../../../../shared/domain/evaluation/evaluation.ts';
import {
  blamed,
  blamedPlaces,
  faultAtFirst,
  settleFaults,
} from '../../../../../shared/domain/evaluation/judging/faults.ts';
import { gatedCase } from '../../../../../shared/domain/runs/results/caseResults.ts';
import type { PlannedCase } from '../../../../../shared/domain/suites/chains/plannedCase.ts';
import {
  BYOK_KEY_MISSING,
  EVALUATION_FAILED,
  JUDGE_ERRORS,
} from '../../../../../shared/scoring/engine/engine.ts';
import type { DeclaredError } from '../../../../../shared/scoring/kit/definition.ts';
import { JUDGE_ERROR_CODES, type JudgeErrorCode } from '../../../../../shared/scoring/kit/judgeErrors.ts';
import { plainRules } from '../../../../support/plainRules.ts';
import { resultOf } from '../../../storage/results.ts';

const isOfJudge = (code: string): code is JudgeErrorCode => JUDGE_ERROR_CODES.some((one) => one === code);

/** As a judge's error is stored before the chunk has ended. */
function errored({ code, fault }: DeclaredError, isRunLong = true) {
  const error = { kind: 'error', code, reason: 'r' } as const;
  const atFirst = isOfJudge(code) ? faultAtFirst({ ...error, code }, isRunLong) : 'candidate';
  return { errored: true, passed: false, fault: atFirst ?? fault, scorer_output: { error: code } };
}

const judgedBy = (provider: string): PlannedCase =>
  ({
    id: provider,
    name: provider,
    input: {},
    expected: null,
    threshold: 0.5,
    weight: 1,
    scorer: { type: 'llm_judge', config: { rubric: 'Polite?', _provider: provider }, dual_sided: false },
    ...plainRules(provider),
  }) as unknown as PlannedCase;

const PASSED = { errored: false, passed: true, fault: undefined, scorer_output: {} };

type Outcome = typeof PASSED | ReturnType<typeof errored>;
interface Judged {
  readonly provider: string;
  readonly outcome: Outcome;
}

function settle(judged: readonly Judged[]) {
  const scored = judged.map(({ outcome }) => ({ result: { ...resultOf(0, 'x'), ...outcome } }));
  return settleFaults(
    scored,
    judged.map(({ provider }) => judgedBy(provider)),
  );
}

const faultsOf = (judged: readonly Judged[]): (Fault | undefined)[] =>
  settle(judged).scored.map(({ result }) => result.fault);

const OF_SERVICE = [...JUDGE_ERRORS, EVALUATION_FAILED].filter(({ fault }) => fault === 'service');

test.each(OF_SERVICE)(
  '$code is the fault of the candidate where another output is judged that the same one answered',
  (error) => {
    const one = { provider: 'openai', outcome: errored(error) };
    expect(faultsOf([one, { provider: 'openai', outcome: PASSED }])).toEqual(['candidate', undefined]);
  },
);

test('a provider that answered a question without a verdict was not away, and one that knows no key was', () => {
  const silent = { provider: 'openai', outcome: errored({ code: 'JUDGE_TIMEOUT', fault: 'service' }) };
  for (const { code, fault } of [...JUDGE_ERRORS, BYOK_KEY_MISSING]) {
    const other = { provider: 'provider_a', outcome: errored({ code, fault }) };
    const expected = fault === 'candidate' ? 'candidate' : 'service';
    expect({ code, fault: faultsOf([silent, other])[0] }).toEqual({ code, fault: expected });
  }
});

test('an error whose cause is the load of the provider stays the fault of the service', () => {
  for (const code of ['JUDGE_UNAVAILABLE', 'JUDGE_RATE_LIMITED'] as const) {
    expect(faultAtFirst({ kind: 'error', code, reason: 'r', isOfLoad: true }, true)).toBe('service');
  }
});

test('samples that got no answer leave a case undecided by the service, and by the candidate beside an answer', () => {
  const silent = errored({ code: 'JUDGE_UNAVAILABLE', fault: 'service' });
  const planned = { ...judgedBy('openai'), sample_count: 2, sample_pass_rate: 1 };
  const sampled = (...outcomes: Outcome[]) => ({
    result: {
      ...resultOf(0, 'x'),
      errored: true,
      passed: false,
      fault: 'candidate' as const,
      scorer_output: { error: 'SAMPLES_UNDECIDED' },
      samples: outcomes.map((outcome) => ({
        score: 0,
        reason: 'r',
        output_digest: null,
        metadata: null,
        ...outcome,
      })),
    },
  });
  const faults = (...outcomes: Outcome[]) => {
    const [one] = settleFaults([sampled(...outcomes)], [planned]).scored;
    return [one?.result.fault, one?.result.samples?.map(({ fault }) => fault)];
  };
  expect(faults(silent, silent)).toEqual(['service', ['service', 'service']]);
  expect(faults(silent, PASSED)).toEqual(['candidate', ['candidate', undefined]]);
});

const outcomes = fc.oneof(
  fc.constant<Outcome>(PASSED),
  fc.constantFrom(...JUDGE_ERRORS).map((error): Outcome => errored(error, false)),
);
const providers = fc.constantFrom('openai', 'provider_a', 'anthropic');

test('however a run is cut into chunks, its cases have the faults that they have in one chunk', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.record({ provider: providers, outcome: outcomes }), { maxLength: 4 }), {
        maxLength: 4,
      }),
      (chunks) => {
        const ended = chunks.map((chunk): ChunkSummary => {
          const { scored, answers } = settle(chunk);
          return {
            failed: false,
            cases: scored.map(({ result }) => gatedCase(result)),
            notices: [],
            answers,
          };
        });
        const places = blamedPlaces(ended);
        const faults = ended.flatMap(({ cases }, chunk) =>
          cases.map((one, place) => (places[chunk]?.has(place) ? blamed(one) : one).fault),
        );
        expect(faults).toEqual(faultsOf(chunks.flat()));
      },
    ),
  );
});

test('cases of a chunk that was given up are the fault of the candidate where another chunk was evaluated', () => {
  const lost = settle([{ provider: 'openai', outcome: errored(EVALUATION_FAILED) }]);
  const givenUp = {
    failed: true,
    cases: lost.scored.map(({ result }) => gatedCase(result)),
    notices: [],
    answers: lost.answers,
  };
  const evaluated = { failed: false, cases: [], notices: [] };
  expect(givenUp.cases).toMatchObject([{ fault: 'service' }]);
  expect(blamedPlaces([givenUp]).map(({ size }) => size)).toEqual([0]);
  expect(blamedPlaces([givenUp, evaluated]).map(({ size }) => size)).toEqual([1, 0]);
});
