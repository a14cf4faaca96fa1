import type { JSX } from 'preact';
import type { RunResult } from '../../../sdk/index.ts';
import { Diff } from '../../parts/diff/Diff.tsx';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { Loading } from '../../parts/Notice.tsx';
import { useRunResult } from '../../parts/runs/data.ts';
import type { BothSides, ComparedCase, Texts } from './data.ts';

const LABELS = ['Before', 'After'] as const;

/** A case's result in a run: of those that are there already, else asked for. */
function useResult(run: string, texts: Texts | undefined, one: ComparedCase, isThere: boolean) {
  const known = texts?.get(one.case_id);
  const isRequested = texts !== undefined && known === undefined && isThere;
  const { data, problem } = useRunResult(run, isRequested ? one.key : undefined);
  const result: RunResult | undefined = known ?? data ?? undefined;
  return { result, isLoading: isThere && result === undefined && data !== null && !problem };
}

interface Props {
  readonly one: ComparedCase;
  readonly sides: BothSides;
}

/** What was answered in both runs, side by side. */
export function Sides({ one, sides }: Props): JSX.Element {
  const older = useResult(sides.older, sides.before, one, one.baseline_score !== undefined);
  const newer = useResult(sides.newer, sides.after, one, one.score !== undefined);
  if (older.isLoading || newer.isLoading) return <Loading what="both outputs" />;
  const [before, after] = [textOf(older.result), textOf(newer.result)];
  const isCut = Boolean(older.result?.cut ?? newer.result?.cut);
  if (before !== undefined && after !== undefined) {
    if (before === after)
      return <Excerpt label="The same output, before and after" text={after} isCut={isCut} />;
    return <Diff expected={before} output={after} isCut={isCut} isPlain={false} labels={LABELS} />;
  }
  return (
    <div class="columns">
      <Side label={LABELS[0]} text={before} isThere={one.baseline_score !== undefined} isCut={isCut} />
      <Side label={LABELS[1]} text={after} isThere={one.score !== undefined} isCut={isCut} />
    </div>
  );
}

const textOf = (result: RunResult | undefined): string | undefined =>
  result?.output_excerpt ?? result?.trace_excerpt;

interface SideProps {
  readonly label: string;
  readonly text: string | undefined;
  readonly isThere: boolean;
  readonly isCut: boolean;
}

function Side({ label, text, isThere, isCut }: SideProps): JSX.Element {
  if (text !== undefined) return <Excerpt label={label} text={text} isCut={isCut} />;
  return (
    <figure class="excerpt">
      <figcaption>{label}</figcaption>
      <p class="hint">
        {isThere
          ? 'No text of it is kept: the suite sets of which results outputs are kept.'
          : 'This run does not have the case.'}
      </p>
    </figure>
  );
}
