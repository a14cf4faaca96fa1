import type { WorkQueue } from '../messages.ts';
import type { Ambient } from '../ports.ts';
import type { RelativeDeps } from '../runs/baseline/comparedRun.ts';
import type { ProofDeps, ProveJudges } from '../runs/judgeProof.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import type { DigestOfSuite } from '../suites/digests/knownDigests.ts';
import type { Sleep } from './heartbeat.ts';
import type { JudgeKeys } from './judging/keyring.ts';
import type { Judge } from './judging/ports.ts';
import type { EvaluationStore, WaitingChunkStore } from './ports.ts';
import type { Seats } from './slots/seats.ts';
import type { WithSlot } from './slots/slots.ts';

export interface EvaluateDeps extends Ambient, JudgeKeys, RelativeDeps, ProofDeps {
  readonly proveJudges: ProveJudges;
  readonly evaluations: EvaluationStore;
  readonly chains: Revisions;
  readonly digestOfSuite: DigestOfSuite;
  readonly queue: WorkQueue;
  readonly judge: Judge;
  readonly withSlot: WithSlot;
  readonly seats: Seats;
  readonly waitingChunks: WaitingChunkStore;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly newDelimiter: () => string;
}
