import type { Run } from '../../contracts/runs.ts';
import type { Claim } from './evaluation.ts';

/** `docs/architecture.md` prints these tables; a test plays every write in every state against them. */
export interface Transition<State extends string> {
  readonly from: readonly State[];
  readonly to: readonly State[];
  readonly when: string;
  /** The store's conditional write; time alone makes a transition without one. */
  readonly write?: string;
  /** The functions that call the write, as `<file in shared> <function>`. */
  readonly by?: readonly string[];
}

interface RunStateDefinition {
  readonly status: Run['status'];
  readonly meaning: string;
}

export const RUN_STATES = {
  accepted: { status: 'pending', meaning: 'stored with its payload, not planned yet' },
  planned: { status: 'pending', meaning: 'its cases are fixed, in chunks' },
  abandoned: { status: 'pending', meaning: 'planned only to say of each case that it was not evaluated' },
  cleared: { status: 'cleared', meaning: 'the pass rate reached the pass threshold' },
  aborted: { status: 'aborted', meaning: 'the pass rate did not reach it' },
  unevaluated: { status: 'aborted', meaning: 'inconclusive, without a verdict, and given back' },
} as const satisfies Readonly<Record<string, RunStateDefinition>>;
export type RunState = keyof typeof RUN_STATES;

export const RUN_TRANSITIONS: readonly Transition<RunState | 'none'>[] = [
  {
    from: ['none'],
    to: ['cleared', 'aborted'],
    when: 'no case is judged and the caller waits: the run is scored within the request',
    write: 'commit',
    by: ['domain/runs/execute.ts scoreAndStore'],
  },
  {
    from: ['none'],
    to: ['accepted'],
    when: 'a case is judged, the suite is too large, or the caller does not wait',
    write: 'admit',
    by: ['domain/runs/execute.ts admit'],
  },
  {
    from: ['accepted'],
    to: ['planned'],
    when: 'the evaluator fixed the cases; the first plan counts',
    write: 'savePlan',
    by: ['domain/evaluation/planning/plan.ts makePlan'],
  },
  {
    from: ['accepted'],
    to: ['abandoned'],
    when: 'the suite was deleted or emptied, planning failed five times, or the run was given up',
    write: 'savePlan',
    by: ['domain/evaluation/abandon.ts planRemains'],
  },
  {
    from: ['accepted'],
    to: ['unevaluated'],
    when: 'the same, and no case is left to report about',
    write: 'conclude',
    by: ['domain/evaluation/abandon.ts endUnjudged'],
  },
  {
    from: ['planned'],
    to: ['cleared', 'aborted'],
    when: 'every chunk has ended with a verdict for its cases',
    write: 'conclude',
    by: ['domain/evaluation/conclude.ts concludeRun'],
  },
  {
    from: ['planned', 'abandoned'],
    to: ['unevaluated'],
    when: 'every chunk has ended, and one of them has failed',
    write: 'conclude',
    by: ['domain/evaluation/conclude.ts concludeRun'],
  },
];

interface ChunkStateDefinition {
  /** The answer to a claim by another function. */
  readonly claim: Claim;
  readonly meaning: string;
}

export const CHUNK_STATES = {
  free: { claim: 'claimed', meaning: 'never claimed, or released' },
  held: { claim: 'held', meaning: 'a holder evaluates it under a lease' },
  lapsed: { claim: 'claimed', meaning: 'the lease ran out: the holder died, or is late' },
  exhausted: {
    claim: 'tries_exhausted',
    meaning: 'five tries were counted: only its end without a verdict may claim it',
  },
  ended: { claim: 'done', meaning: 'its results are stored' },
  failed: { claim: 'done', meaning: 'ended without a verdict for some of its cases' },
} as const satisfies Readonly<Record<string, ChunkStateDefinition>>;
export type ChunkState = keyof typeof CHUNK_STATES;

const WAITS_FOR_SEAT = {
  when: 'no seat is free: another message asks for it later',
  write: 'waitForSeat',
  by: ['domain/evaluation/slots/putBack.ts waitForSeat'],
};

export const CHUNK_TRANSITIONS: readonly Transition<ChunkState>[] = [
  {
    from: ['free', 'lapsed'],
    to: ['held'],
    when: 'a message of the chunk arrived that is not older than its last wait: one try is counted',
    write: 'claim',
    by: [
      'domain/evaluation/evaluateChunk.ts claimFor',
      'domain/evaluation/evaluateChunk.ts seeToNext',
      'domain/evaluation/deadLetter.ts endExhausted',
    ],
  },
  { from: ['free'], to: ['free'], ...WAITS_FOR_SEAT },
  { from: ['lapsed'], to: ['lapsed'], ...WAITS_FOR_SEAT },
  {
    from: ['free', 'lapsed', 'exhausted'],
    to: ['held'],
    when: 'the chunk or its run is to end without a verdict',
    write: 'claim',
    by: ['domain/evaluation/abandon.ts abandonChunk'],
  },
  {
    from: ['held', 'lapsed', 'exhausted'],
    to: ['held'],
    when: 'every 30 s while its holder works, and before it puts unfinished work back: the lease begins again',
    write: 'keepClaim',
    by: ['domain/evaluation/evaluateChunk.ts evaluateClaimed', 'domain/evaluation/slots/putBack.ts putBack'],
  },
  {
    from: ['held', 'lapsed', 'exhausted'],
    to: ['held'],
    when: 'its holder is about to call judges: the calls are counted, the lease begins again',
    write: 'beginCalls',
    by: ['domain/evaluation/judging/judgeCases.ts boundsOf'],
  },
  { from: ['held'], to: ['lapsed', 'exhausted'], when: '90 s after the lease last began' },
  {
    from: ['held', 'lapsed'],
    to: ['free'],
    when: 'its evaluation failed: the try stays counted',
    write: 'release',
    by: ['domain/evaluation/evaluateChunk.ts evaluateClaimed'],
  },
  {
    from: ['held'],
    to: ['exhausted'],
    when: 'the same for the fifth time',
    write: 'release',
    by: ['domain/evaluation/evaluateChunk.ts evaluateClaimed'],
  },
  {
    from: ['held', 'lapsed', 'exhausted'],
    to: ['free'],
    when: 'no judge slot was free, its time was over, or it was only looked at: the try is not counted',
    write: 'release',
    by: ['domain/evaluation/slots/putBack.ts putBack', 'domain/evaluation/deadLetter.ts endExhausted'],
  },
  {
    from: ['held', 'lapsed', 'exhausted'],
    to: ['free'],
    when: 'a service on a laptop starts again: no other evaluator runs',
    write: 'freeLeftClaims',
    by: ['storage/evaluation/releaseClaims.ts freeChunks'],
  },
  {
    from: ['held'],
    to: ['exhausted'],
    when: 'the same after a crash during the fifth try',
    write: 'freeLeftClaims',
    by: ['storage/evaluation/releaseClaims.ts freeChunks'],
  },
  {
    from: ['exhausted'],
    to: ['free', 'lapsed'],
    when: 'a holder that lost its claim is alive: its try is not counted',
    write: 'uncountTry',
    by: ['domain/evaluation/evaluateChunk.ts evaluateClaimed'],
  },
  {
    from: ['held', 'lapsed', 'exhausted'],
    to: ['ended'],
    when: 'its holder has all results',
    write: 'finishChunk',
    by: ['domain/evaluation/evaluateChunk.ts evaluate'],
  },
  {
    from: ['held', 'lapsed', 'exhausted'],
    to: ['failed'],
    when: 'its holder ends it without a verdict; cases that were judged keep theirs',
    write: 'finishChunk',
    by: ['domain/evaluation/abandon.ts abandonChunk'],
  },
];
