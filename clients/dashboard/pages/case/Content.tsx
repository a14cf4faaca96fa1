import type { JSX } from 'preact';
import { counted } from '../../../gate/report/numbers.ts';
import type { Case } from '../../../sdk/index.ts';
import { questionOf } from '../../kit/text.ts';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { Foreign } from '../../parts/Words.tsx';

const shownValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

interface Props {
  readonly evalCase: Case;
  /** Its newest failure shows it beside the output. */
  readonly hidesExpected: boolean;
}

/** What a case asks, and what a good answer is. */
export function Content({ evalCase, hidesExpected }: Props): JSX.Element {
  const { description, expected, examples } = evalCase;
  return (
    <section class="stack">
      {description && (
        <p>
          <Foreign text={description} />
        </p>
      )}
      <div class="columns">
        <Excerpt label="Question" text={questionOf(evalCase.input)} />
        {!hidesExpected && (
          <Excerpt label="Expected" text={expected === null ? '(nothing)' : shownValue(expected)} />
        )}
      </div>
      {examples.fail.length + examples.pass.length > 0 && (
        <details class="further">
          <summary>
            {counted(examples.fail.length, 'answer')} that it has to fail, {examples.pass.length} that it has
            to pass
          </summary>
          <div class="columns">
            {examples.fail.map((answer) => (
              <Excerpt key={answer} label="Has to fail" text={answer} />
            ))}
            {examples.pass.map((answer) => (
              <Excerpt key={answer} label="Has to pass" text={answer} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}
