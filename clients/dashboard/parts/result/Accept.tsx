import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Case, type CasesUpdateBody, EvalgateError, type RunResult } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { jsonProblem } from '../../kit/json.ts';
import { may } from '../../kit/session.ts';
import { Confirm } from '../Confirm.tsx';
import { Excerpt } from '../Excerpt.tsx';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON where the case expects some; else the text as it is. An excerpt does not say which of both it is. */
function expectedOf(output: string, expected: unknown): unknown {
  if (typeof expected === 'string' || expected === null || !isJson(output)) return output;
  const problem = jsonProblem(output);
  if (problem === undefined) return JSON.parse(output);
  throw new EvalgateError(`The output cannot be expected as it is: ${problem}`, { code: 'ROUNDED' });
}

interface Change {
  readonly title: string;
  readonly verb: string;
  /** What it brings with it, and what the output is called then. */
  readonly words: string;
  readonly label: string;
  readonly body: (output: string, before: Case) => CasesUpdateBody;
}

const EXPECTED: Change = {
  title: 'Update expected',
  verb: 'Update',
  words: 'The case expects this output in later runs.',
  label: 'Expected from now on',
  body: (output, { expected }) => ({ expected: expectedOf(output, expected) as Case['expected'] }),
};

const exampleOf = (kind: 'pass' | 'fail'): Change => ({
  title: `Should have ${kind}ed`,
  verb: 'Add the example',
  words: `Checks of the judge ask whether it ${kind === 'pass' ? 'passes' : 'fails'} this output.`,
  label: 'Example from now on',
  body: (output, { examples }) => ({
    examples: { ...examples, [kind]: [...examples[kind].filter((answer) => answer !== output), output] },
  }),
});

/** What makes an output a part of its case; only where all of it is known. */
export function Accept({ result }: { readonly result: RunResult }): JSX.Element | null {
  const { passed, errored, cut, output_excerpt: output, expected_excerpt: expected, scorer_output } = result;
  if (!may.value.edit || cut || output === undefined) return null;
  const isJudged = scorer_output?.answered_model !== undefined;
  return (
    <>
      {!passed && typeof expected === 'string' && <OneChange {...{ result, output }} change={EXPECTED} />}
      {isJudged && !errored && (
        <OneChange {...{ result, output }} change={exampleOf(passed ? 'fail' : 'pass')} />
      )}
    </>
  );
}

interface OneProps {
  readonly result: RunResult;
  readonly output: string;
  readonly change: Change;
}

function OneChange({ result: { case_id }, output, change }: OneProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { title, verb, words, label, body } = change;
  const save = () =>
    write(
      async (sdk) => sdk.cases.update(case_id, body(output, await sdk.cases.get(case_id))),
      'suites/',
      'cases/',
    );
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {title}
      </button>
      {isOpen && (
        <Confirm title={title} verb={verb} act={save} onClose={() => setOpen(false)}>
          <p>
            {words} This run stays as it is. If the suite is pushed from a repository, change it there: the
            next push takes this back, unless evalgate pull brings it to the file.
          </p>
          <Excerpt label={label} text={output} />
        </Confirm>
      )}
    </>
  );
}
