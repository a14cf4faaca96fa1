import { covers } from '../../../contracts/base/scopes.ts';
import type { RunResult } from '../../../contracts/results/results.ts';
import type { ScaleLevel } from '../../../scoring/kit/definition.ts';
import { withoutReasoning } from '../../../scoring/kit/reading/reasoning.ts';
import type { Principal } from '../../principal.ts';
import type { Revisions } from '../../suites/chains/chains.ts';
import type { CaseTexts, ScorerRow } from '../../suites/chains/members.ts';
import type { StoredRun } from '../ports.ts';
import { suiteRevisionOfRun } from '../suiteRevisionOfRun.ts';
import { excerpt } from './excerpts.ts';

const PROMPTS_MAX = 100;

/** Config of a judge, as it was checked when it was written. */
interface JudgeConfig {
  readonly rubric: string;
  readonly scale?: readonly ScaleLevel[] | undefined;
  readonly ignore_reasoning?: boolean | undefined;
}

/** What a judge was asked, with excerpts of the texts. */
interface Asked {
  readonly version: string;
  readonly rubric: string;
  readonly scale: JudgeConfig['scale'];
  readonly dualSided: boolean;
  readonly runInput: string;
  readonly caseInput: string;
  /** Undefined: nothing is. */
  readonly expected: string | undefined;
  readonly output: string;
}

export type ShownPrompt = (question: Asked) => string | undefined;

interface Deps {
  readonly chains: Revisions;
  readonly loadShownPrompt: () => Promise<ShownPrompt>;
}

/**
 * The results with what their judges received: composed again of the bar of the run and the kept excerpts, since no run
 * keeps a text of a case. Only for those who may read the bar.
 */
export async function withJudgePrompts(
  { chains, loadShownPrompt }: Deps,
  { orgId, scope }: Principal,
  run: StoredRun,
  results: readonly RunResult[],
): Promise<RunResult[]> {
  const judged = new Set(results.slice(0, PROMPTS_MAX).filter(isShowable));
  if (judged.size === 0 || !covers(scope, 'read')) return [...results];
  const ids = [...judged].map(({ case_id }) => case_id);
  const suiteRevision = await suiteRevisionOfRun({ chains }, { orgId, run });
  const [texts, active, scorers, shown] = await Promise.all([
    suiteRevision.textsOf(ids),
    suiteRevision.activeCases(),
    suiteRevision.scorerRows(),
    loadShownPrompt(),
  ]);
  const configs = await suiteRevision.configsOf([...scorers.values()]);
  const scorerIds = new Map(active.map(({ member: { row } }) => [row.id, row.scorer_id]));
  return results.map((result) => {
    const scorer = scorers.get(scorerIds.get(result.case_id) ?? '');
    const { config } = (scorer && configs.get(scorer.number)) ?? {};
    const caseTexts = texts.get(result.case_id);
    // What was dropped since is not shown.
    if (!judged.has(result) || !scorer || !config || !caseTexts) return result;
    const question = askedOf(result, {
      row: scorer.row,
      config: config as unknown as JudgeConfig,
      texts: caseTexts,
    });
    const judge_prompt = question && shown(question);
    return judge_prompt === undefined ? result : { ...result, judge_prompt };
  });
}

const isShowable = ({ scorer_output, output_excerpt }: RunResult): boolean =>
  typeof scorer_output.prompt_version === 'string' && output_excerpt !== undefined;

const textOf = (value: unknown): string | undefined =>
  value == null ? undefined : excerpt(typeof value === 'string' ? value : JSON.stringify(value));

interface Said {
  readonly row: ScorerRow;
  readonly config: JudgeConfig;
  readonly texts: CaseTexts;
}

function askedOf(result: RunResult, { row, config, texts }: Said): Asked | undefined {
  const { rubric, scale, ignore_reasoning = false } = config;
  const { scorer_output, output_excerpt = '', input_excerpt, run_input_excerpt, cut } = result;
  // Where the reasoning ends may lie behind the excerpt.
  if (ignore_reasoning && cut) return undefined;
  const hasInput = Object.keys(texts.input).length > 0;
  return {
    version: String(scorer_output.prompt_version),
    rubric,
    scale,
    dualSided: row.dual_sided,
    runInput: (hasInput ? run_input_excerpt : input_excerpt) ?? '{}',
    caseInput: excerpt(JSON.stringify(texts.input)),
    expected: textOf(texts.expected),
    output: ignore_reasoning ? withoutReasoning(output_excerpt) : output_excerpt,
  };
}
