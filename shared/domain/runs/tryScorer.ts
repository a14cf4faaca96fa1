import type { BodyOf } from '../../contracts/base/contract.ts';
import type { RunResult } from '../../contracts/results/results.ts';
import type { tryScorer as contract } from '../../contracts/results/scorerTrials.ts';
import { isJudged, prepareSuite, scoreSuite } from '../../scoring/engine/engine.ts';
import { invalidField } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { liveScorer } from '../suites/access/live.ts';
import type { Chains } from '../suites/chains/chains.ts';
import type { ProjectReader } from '../suites/ports.ts';
import { withTraces } from './outputs/traces.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly chains: Chains;
  readonly now: () => number;
}

type Trial = Pick<RunResult, 'score' | 'passed' | 'reason' | 'scorer_output'>;

/** As a run would score it in a case with this scorer, under the limits of a run. Nothing is stored or counted. */
export async function tryScorer(
  deps: Deps,
  principal: Principal,
  scorerId: string,
  sent: BodyOf<typeof contract>,
): Promise<Trial> {
  const scorer = await liveScorer(deps, principal, scorerId, 'suites');
  if (isJudged(scorer)) throw invalidField('scorerId', JUDGED);
  const { output, metadata, trace, expected, threshold } = await withTraces(sent);
  const evalCase = { id: scorer.id, name: scorer.name, expected, threshold, weight: 1, scorer };
  const prepared = await prepareSuite({ passThreshold: 1, cases: [evalCase] });
  const outputsOf = () => [{ output, metadata, trace }];
  const result = scoreSuite(prepared, { outputsOf, now: deps.now })[0]?.[0];
  if (result === undefined) throw new Error(`Scorer ${scorer.id} made no result`);
  return result;
}

const JUDGED = 'is a judge, and only runs ask models: run a suite with a case that uses it';
