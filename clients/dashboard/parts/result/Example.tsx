import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunResult } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { Confirm } from '../Confirm.tsx';
import { Excerpt } from '../Excerpt.tsx';

const WORDS = { pass: 'Should have passed', fail: 'Should have failed' } as const;
const VERBS = { pass: 'passes', fail: 'fails' } as const;

/** Adds a judged output to the examples of its case, by which its judge is checked; only where all of it is known. */
export function Example({ result }: { readonly result: RunResult }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const { passed, errored, cut, output_excerpt: output, case_id, scorer_output } = result;
  const isJudged = scorer_output?.answered_model !== undefined;
  if (!may.value.edit || !isJudged || errored || cut || output === undefined) return null;
  const kind = passed ? 'fail' : 'pass';
  const add = () =>
    write(
      async (sdk) => {
        const { examples } = await sdk.cases.get(case_id);
        const others = examples[kind].filter((answer) => answer !== output);
        return sdk.cases.update(case_id, { examples: { ...examples, [kind]: [...others, output] } });
      },
      'suites/',
      'cases/',
    );
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {WORDS[kind]}
      </button>
      {isOpen && (
        <Confirm title={WORDS[kind]} verb="Add the example" act={add} onClose={() => setOpen(false)}>
          <p>
            Checks of the judge ask whether it {VERBS[kind]} this output. This run stays as it is. If the
            suite is pushed from a repository, change it there: the next push takes this back, unless evalgate
            pull brings it to the file.
          </p>
          <Excerpt label="Example from now on" text={output} />
        </Confirm>
      )}
    </>
  );
}
