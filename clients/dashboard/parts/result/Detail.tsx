import type { JSX } from 'preact';
import type { RunResult } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { may } from '../../kit/session.ts';
import { questionIn, shown, shownLines } from '../../kit/text.ts';
import { Copy } from '../Copy.tsx';
import { Diff } from '../diff/Diff.tsx';
import { Excerpt } from '../Excerpt.tsx';
import { Fact } from '../Fact.tsx';
import { Foreign } from '../Words.tsx';
import { Accept } from './Accept.tsx';
import { Trace } from './Trace.tsx';
import { expectedCallsOf } from './trace.ts';

/** Who has to act before there is a verdict. */
const ADVICE = {
  candidate: 'It is the output’s doing: correct what the program sends, and run the gate again.',
  bar: 'It is the suite’s doing: correct the case, its scorer or a key.',
  service: 'It is the doing of the service or of a model’s provider: run the gate again.',
} as const;

/** A judge's provider was not asked, or refused the key: the way to the keys, for who may change them. */
function ProviderKeys({ result }: Pick<Props, 'result'>): JSX.Element | null {
  const isAboutKey = String(result.scorer_output?.error ?? '').startsWith('BYOK_KEY_');
  if (!isAboutKey || !may.value.administrate || !may.value.seeUsage) return null;
  return <a href={to.settings('byok')}>Keys of providers</a>;
}

const unspaced = (text: string): string => text.replace(/\s+/g, '');

/** JSON over several lines, where nothing else about it changes: no number is rounded, no field that stands twice is lost. */
function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const json = JSON.stringify(JSON.parse(text), null, 2);
    return unspaced(json) === unspaced(text) ? json : text;
  } catch {
    return text;
  }
}

/** So much of a reason stands in a row; all of it where the case is open. */
export const WHY_MAX = 240;
const isLong = (reason: string): boolean => reason.length > WHY_MAX || reason.includes('\n');

interface Props {
  readonly result: RunResult;
  readonly isPlain: boolean;
  /** The address of a new case like this one. */
  readonly another?: string | undefined;
}

/** What was asked, expected and answered, and what the scorer says of it. */
export function Detail({ result, isPlain, another }: Props): JSX.Element {
  const { errored, fault, missing, input_excerpt: input, excerpts_cut } = result;
  const hasTexts = result.output_excerpt !== undefined || result.trace_excerpt !== undefined;
  return (
    <div class="detail">
      {isLong(result.reason) && <Excerpt label="Why" text={result.reason} />}
      {errored && (
        <p class="hint">
          {ADVICE[fault ?? 'service']} <ProviderKeys result={result} />
        </p>
      )}
      <Excerpt label="Input" text={input == null ? input : questionIn(input)} isCut={result.cut === true} />
      <Answer result={result} isPlain={isPlain} />
      <Trace result={result} />
      {!hasTexts && !missing && (
        <p class="hint">
          {excerpts_cut
            ? 'Its texts are left out: the run has more than it keeps, or the case has changed since.'
            : 'No text of it is kept: the suite sets of which results outputs are kept.'}
        </p>
      )}
      <More result={result} />
      <p class="detail-actions">
        <Copy text={`${location.origin}${to.run(result.run_id, result.key)}`} label="Copy link" />
        <Accept result={result} />
        {another && <a href={another}>Duplicate as a new case</a>}
      </p>
    </div>
  );
}

function Answer({ result, isPlain }: Props): JSX.Element | null {
  const { output_excerpt: output, cut } = result;
  // The calls that a trace is to have stand beside those that it has.
  const expected = expectedCallsOf(result) ? undefined : result.expected_excerpt;
  const isCut = cut === true;
  if (output !== undefined && typeof expected === 'string')
    return <Diff expected={expected} output={output} isCut={isCut} isPlain={isPlain} />;
  return (
    <div class="columns">
      <Excerpt label="Expected" text={expected} isCut={isCut} />
      <Excerpt label="Output" text={output} isCut={isCut}>
        {output && shownLines(laidOut(output))}
      </Excerpt>
    </div>
  );
}

const json = (value: unknown): string => shown(JSON.stringify(value, null, 1)?.replace(/\n */g, ' ') ?? '');

/** What a judge answered is an excerpt of its own, and what belongs to a vote stands with it. */
const OWN_PLACE = new Set(['raw_response', 'votes', 'prompt_version', 'answered_model', 'usage']);
const asText = (value: unknown): string => (typeof value === 'string' ? value : json(value));

/** A line for each field of a scorer's output; of a judge its model and tokens first. */
function scored(result: RunResult): readonly (readonly [name: string, value: string])[] {
  const { scorer_output: output, samples = [], metadata, output_digest: digest } = result;
  const { answered_model: model, usage } = output;
  const tokens = usage as { readonly input_tokens?: number; readonly output_tokens?: number } | undefined;
  return [
    ...(model === undefined ? [] : [['Model', asText(model ?? 'not named')] as const]),
    ...(tokens ? [['Tokens', `${tokens.input_tokens} in, ${tokens.output_tokens} out`] as const] : []),
    ...Object.entries(output)
      .filter(([name]) => !OWN_PLACE.has(name))
      .map(([name, value]) => [name.replaceAll('_', ' '), asText(value)] as const),
    ['Weight', `${result.weight ?? 'as all others'}`],
    ...(samples.length > 1
      ? [['Samples', `${samples.filter(({ passed }) => passed).length} of ${samples.length} passed`] as const]
      : []),
    ...(metadata ? [['Metadata (not verified)', json(metadata)] as const] : []),
    ...(digest ? [['Digest of the output', digest] as const] : []),
  ];
}

/** What is seldom needed. */
function More({ result }: { readonly result: RunResult }): JSX.Element {
  const { samples = [], scorer_output: output, judge_prompt: prompt } = result;
  const votes = Array.isArray(output.votes) ? (output.votes as typeof samples) : [];
  return (
    <details class="more">
      <summary>How it was judged</summary>
      <dl class="pairs">
        {scored(result).map(([name, value]) => (
          <Fact key={name} name={name}>
            <Foreign text={value} />
          </Fact>
        ))}
      </dl>
      <Excerpt label="Rubric" text={result.judge_rubric} />
      <Excerpt label="What the judge answered" text={rawIn(output)} />
      <Excerpt label="What the judge received" text={prompt} />
      <Outcomes label="Samples" outcomes={samples} />
      <Outcomes label="Votes of the judge" outcomes={votes} />
    </details>
  );
}

const rawIn = ({ raw_response: raw }: RunResult['scorer_output']): string | undefined =>
  raw == null ? undefined : asText(raw);

interface OutcomesProps {
  readonly label: string;
  readonly outcomes: readonly Pick<RunResult, 'passed' | 'score' | 'reason'>[];
}

function Outcomes({ label, outcomes }: OutcomesProps): JSX.Element | null {
  if (outcomes.length < 2) return null;
  return (
    <ol class="calls" aria-label={label}>
      {outcomes.map(({ passed, score, reason }, index) => (
        <li key={`${index}`}>
          {passed ? 'passed' : 'failed'}, {score.toFixed(2)}: <Foreign text={reason} />
        </li>
      ))}
    </ol>
  );
}
