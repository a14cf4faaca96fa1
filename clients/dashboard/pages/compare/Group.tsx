import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunResult } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { saysMore } from '../../kit/text.ts';
import { Foreign } from '../../parts/Words.tsx';
import type { BothSides, ComparedCase } from './data.ts';
import { Sides } from './Sides.tsx';

interface Props {
  readonly title: string;
  readonly hint: string;
  readonly cases: readonly ComparedCase[];
  readonly total: number;
  readonly isOpen: boolean;
  /** They ended in an error in one of the runs: no score of that one counts. */
  readonly isUnjudged: boolean;
  readonly sides: BothSides;
}

const SHOWN = 20;
const OPEN = 3;

const WHY = {
  KIND: 'one of the runs has one output for all cases',
  BAR: 'the case or its scorer was edited',
  ADVISORY: 'it is advisory in one of the runs',
  JUDGE_DRIFT: 'another model judged it',
} as const;

/** Cases of which the same became; the first of the gravest are unfolded. */
export function Group({ title, hint, cases, total, isOpen, isUnjudged, sides }: Props): JSX.Element {
  const [isComplete, setWhole] = useState(false);
  const shown = isComplete ? cases : cases.slice(0, SHOWN);
  return (
    <section class="part">
      <h2>{title}</h2>
      <p class="hint">{hint}</p>
      {shown.map((compared, index) => (
        <Case key={compared.case_id} {...{ compared, isUnjudged, sides }} isOpen={isOpen && index < OPEN} />
      ))}
      {shown.length < cases.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {cases.length - shown.length} more
        </button>
      )}
      {isComplete && cases.length < total && <p class="hint">Only the gravest {cases.length} are listed.</p>}
    </section>
  );
}

/** `result`: undefined where it is not loaded, or the run has none. */
const scored = (score: number | undefined, result: RunResult | undefined): string =>
  score === undefined ? '–' : result?.errored ? 'unjudged' : score.toFixed(2);

interface CaseProps {
  readonly compared: ComparedCase;
  readonly isOpen: boolean;
  readonly isUnjudged: boolean;
  readonly sides: BothSides;
}

function Case({ compared, isOpen, isUnjudged, sides }: CaseProps): JSX.Element {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  const { key, case: name, must_pass, baseline_score: before, score: after, threshold, why } = compared;
  const [was, is] = [sides.before, sides.after].map((results) => results?.get(compared.case_id));
  return (
    <details
      class="group compared"
      open={isUnfolded}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary>
        <strong>
          <Foreign text={key} />
        </strong>
        {saysMore(name, key) && (
          <span class="muted">
            <Foreign text={name} />
          </span>
        )}
        {must_pass && <span class="state is-calm">must pass</span>}
        <span class="compared-scores">
          {isUnjudged && !was?.errored && !is?.errored
            ? 'unjudged in one of the runs'
            : `${scored(before, was)} → ${scored(after, is)}`}{' '}
          <span class="muted">threshold {threshold.toFixed(2)}</span>
        </span>
      </summary>
      {isUnfolded && (
        <div class="stack">
          {(why ?? compared.reason) && (
            <p>
              {why ? `${WHY[why]}: ` : ''}
              <Foreign text={compared.reason ?? ''} />
            </p>
          )}
          <Sides compared={compared} sides={sides} />
          <p class="several">
            {before !== undefined && <a href={to.run(sides.older, key)}>Before, in its run</a>}
            {after !== undefined && <a href={to.run(sides.newer, key)}>After, in its run</a>}
          </p>
        </div>
      )}
    </details>
  );
}
