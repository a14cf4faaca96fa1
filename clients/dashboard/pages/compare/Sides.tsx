import type { JSX } from 'preact';
import type { RunResult } from '../../../sdk/index.ts';
import { questionIn } from '../../kit/text.ts';
import { Diff } from '../../parts/diff/Diff.tsx';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { Loading } from '../../parts/Notice.tsx';
import { useRunResult } from '../../parts/runs/data.ts';
import { type BothSides, type ComparedCase, expectedOf, type Texts as TextsOf, textOf } from './data.ts';

/** A case's result in a run: of those that are there already, else asked for. */
function useResult(run: string, texts: TextsOf | undefined, compared: ComparedCase, isThere: boolean) {
  const known = texts?.get(compared.case_id);
  const isRequested = texts !== undefined && known === undefined && isThere;
  const { data, problem } = useRunResult(run, isRequested ? compared.key : undefined);
  const result: RunResult | undefined = known ?? data ?? undefined;
  return { result, isLoading: isThere && result === undefined && data !== null && !problem };
}

interface Props {
  readonly compared: ComparedCase;
  readonly sides: BothSides;
}

/** What was asked and expected, and what was answered in both runs. */
export function Sides({ compared, sides }: Props): JSX.Element {
  const older = useResult(sides.older, sides.before, compared, compared.baseline_score !== undefined);
  const newer = useResult(sides.newer, sides.after, compared, compared.score !== undefined);
  if (older.isLoading || newer.isLoading) return <Loading what="both outputs" />;
  return <Texts compared={compared} older={older.result} newer={newer.result} />;
}

interface TextsProps extends Pick<Props, 'compared'> {
  readonly older: RunResult | undefined;
  readonly newer: RunResult | undefined;
}

/** Where nothing is known of before, what was expected stands beside what came. */
function Texts({ compared, older, newer }: TextsProps): JSX.Element {
  const known = [newer, older];
  const input = known.map((result) => result?.input_excerpt).find((text) => text != null);
  const expected = known.map(expectedOf).find((text) => text !== undefined);
  const [before, after] = [textOf(older), textOf(newer)];
  const isCut = known.some((result) => result?.cut);
  const beside = before ?? expected;
  const isMarked = after !== undefined && beside !== undefined;
  const label =
    before === undefined ? 'Expected' : before === expected ? 'Before (equals expected)' : 'Before';
  return (
    <>
      {input !== undefined && <Excerpt label="Input" text={questionIn(input)} isCut={isCut} />}
      {expected !== (isMarked ? beside : before) && (
        <Excerpt label="Expected" text={expected} isCut={isCut} />
      )}
      {isMarked && (
        <Diff expected={beside} output={after} isCut={isCut} isPlain={false} labels={[label, 'After']} />
      )}
      {(before === undefined || !isMarked) && (
        <div class="columns">
          <Side
            label="Before"
            text={before}
            result={older}
            isThere={compared.baseline_score !== undefined}
            isCut={isCut}
          />
          {!isMarked && (
            <Side
              label="After"
              text={after}
              result={newer}
              isThere={compared.score !== undefined}
              isCut={isCut}
            />
          )}
        </div>
      )}
    </>
  );
}

interface SideProps {
  readonly label: string;
  readonly text: string | undefined;
  readonly result: RunResult | undefined;
  readonly isThere: boolean;
  readonly isCut: boolean;
}

function Side({ label, text, result, isThere, isCut }: SideProps): JSX.Element {
  if (text !== undefined) return <Excerpt label={label} text={text} isCut={isCut} />;
  return (
    <figure class="excerpt">
      <figcaption>{label}</figcaption>
      <p class="hint">
        {result?.errored
          ? `No text of it: ${result.reason}`
          : isThere
            ? 'No text of it is kept. “Accept as baseline” can have all outputs kept from then on.'
            : 'This run does not have the case.'}
      </p>
    </figure>
  );
}
