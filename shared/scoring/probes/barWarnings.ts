import type { BarWarning } from '../../contracts/gates.ts';
import type { RuledCase } from '../engine/cases.ts';
import { isJudged } from '../engine/judged.ts';
import type { GateSettings } from '../verdict/gating.ts';
import { unreachableGates } from '../verdict/unreachable.ts';
import { probe } from './probe.ts';
import { probeSlips } from './probeSlips.ts';

/** What is wrong with the bar of these active cases, with what only a reader of the bar learns (`CONSTANT_CLEARS`). */
export async function barFindings<Case extends RuledCase>(
  cases: readonly Case[],
  settings: GateSettings,
  advisoryOf: (evalCase: Case) => boolean,
  triesSlips = true,
): Promise<BarWarning[]> {
  const counted = cases.map((evalCase) => ({
    weight: evalCase.weight,
    tags: evalCase.tags,
    isJudged: isJudged(evalCase.scorer),
    advisory: advisoryOf(evalCase),
  }));
  const findings = [...unreachableGates(counted, settings), ...(await probe(cases, settings, advisoryOf))];
  return triesSlips ? [...findings, ...(await probeSlips(cases))] : findings;
}

export const isWarning = ({ code }: BarWarning): boolean => code !== 'CONSTANT_CLEARS';
