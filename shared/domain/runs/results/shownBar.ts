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

const SHOWN_MAX = 100;

/** Config of a judge, as it was checked when it was written. */
interface JudgeConfig {
  readonly rubric: string;
  readonly scale?: readonly ScaleLevel[] | undefined;
  readonly ignore_reasoning?: boolean | undefined;
}

/** Likewise of a `trajectory`. */
interface TraceConfig {
  readonly calls?: readonly unknown[] | undefined;
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
 * The results with what their judges received, and which calls their traces were to have: composed again of the bar of the
 * run and the kept excerpts, since no run keeps a text of a case. Only for those who may read the bar.
 */
export async function withBar(
  { chains, loadShownPrompt }: Deps,
  { orgId, scope }: Principal,
  run: StoredRun,
  results: readonly RunResult[],
): Promise<RunResult[]> {
  const shownOf = new Set(results.slice(0, SHOWN_MAX).filter((one) => isJudged(one) || isTrace(one)));
  if (shownOf.size === 0 || !covers(scope, 'read')) return [...results];
  const ids = [...shownOf].map(({ case_id }) => case_id);
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
    if (!shownOf.has(result) || !scorer || !config || !caseTexts) return result;
    if (isTrace(result)) return { ...result, ...expectedCalls(config, caseTexts) };
    const judge = config as unknown as JudgeConfig;
    const question = askedOf(result, { row: scorer.row, config: judge, texts: caseTexts });
    const judge_prompt = question && shown(question);
    const judge_rubric = excerpt(judge.rubric);
    return { ...result, judge_rubric, ...(judge_prompt !== undefined && { judge_prompt }) };
  });
}

const isJudged = ({ scorer_output, output_excerpt }: RunResult): boolean =>
  typeof scorer_output.prompt_version === 'string' && output_excerpt !== undefined;

/** As `trajectory` scores. */
const isTrace = ({ scorer_output }: RunResult): boolean =>
  'out_of_order' in scorer_output && Array.isArray(scorer_output.missing);

/** Those of the case where its scorer names none. */
function expectedCalls({ calls }: TraceConfig, { expected }: CaseTexts): Pick<RunResult, 'expected_calls'> {
  const expectedCalls = calls ?? expected;
  return expectedCalls == null ? {} : { expected_calls: excerpt(JSON.stringify(expectedCalls)) };
}

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
