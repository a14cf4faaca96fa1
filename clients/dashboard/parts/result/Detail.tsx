import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RunResult } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { may } from '../../kit/session.ts';
import { shown, shownLines } from '../../kit/text.ts';
import { Copy } from '../Copy.tsx';
import type { DiffProps } from '../diff/Diff.tsx';
import { Excerpt } from '../Excerpt.tsx';
import { Foreign } from '../Words.tsx';
import { Accept } from './Accept.tsx';
import { Example } from './Example.tsx';
import { Trace } from './Trace.tsx';

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

/** An input that is one text: that text. */
function questionIn(input: string): string {
  try {
    const [only, ...others] = Object.values(JSON.parse(input) as object);
    return typeof only === 'string' && others.length === 0 ? only : input;
  } catch {
    return input;
  }
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

/** The row shows a part of it. */
/** So much of a reason stands in a row; all of it where the case is open. */
export const WHY_MAX = 240;
const isLong = (reason: string): boolean => reason.length > WHY_MAX || reason.includes('\n');

/** Loaded when a case is opened. */
function useDiff(isRequested: boolean): ComponentType<DiffProps> | undefined {
  const [Diff, setDiff] = useState<ComponentType<DiffProps>>();
  useEffect(() => {
    if (!isRequested) return;
    let isCurrent = true;
    // Where it cannot be loaded, both texts stand side by side.
    import('../diff/Diff.tsx').then(
      (module) => isCurrent && setDiff(() => module.Diff),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [isRequested]);
  return Diff;
}

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
        <Example result={result} />
        {another && <a href={another}>Duplicate as a new case</a>}
        {result.output_digest && (
          <span class="hint">
            output digest <code>{result.output_digest}</code>
          </span>
        )}
      </p>
    </div>
  );
}

function Answer({ result, isPlain }: Props): JSX.Element | null {
  const { output_excerpt: output, expected_excerpt: expected, cut } = result;
  const isCut = cut === true;
  const canCompare = output !== undefined && typeof expected === 'string';
  const Diff = useDiff(canCompare);
  if (canCompare && Diff) return <Diff expected={expected} output={output} isCut={isCut} isPlain={isPlain} />;
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

/** What is seldom needed. */
function More({ result }: { readonly result: RunResult }): JSX.Element {
  const { samples = [], scorer_output, metadata, judge_prompt: prompt } = result;
  return (
    <details class="more">
      <summary>Samples, scorer’s output, metadata</summary>
      <dl class="pairs">
        <Pair name="Weight" value={`${result.weight ?? 'as all others'}`} />
        {samples.length > 1 && (
          <Pair
            name="Samples"
            value={`${samples.filter(({ passed }) => passed).length} of ${samples.length} passed`}
          />
        )}
        <Pair name="Scorer’s output" value={json(scorer_output)} />
        {metadata && <Pair name="Metadata (not verified)" value={json(metadata)} />}
      </dl>
      {prompt && <Excerpt label="What the judge received" text={prompt} />}
      {samples.length > 1 && (
        <ol class="calls">
          {samples.map(({ passed, score, reason }, index) => (
            <li key={`${index}`}>
              {passed ? 'passed' : 'failed'}, {score.toFixed(2)}: <Foreign text={reason} />
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Foreign text={value} />
      </dd>
    </div>
  );
}
