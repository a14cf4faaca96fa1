import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type Case,
  type CasesUpdateBody,
  EvalgateError,
  type RunResult,
  type Suite,
} from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { jsonProblem } from '../../kit/json.ts';
import { may } from '../../kit/session.ts';
import { Confirm, Opener } from '../Confirm.tsx';
import { Excerpt } from '../Excerpt.tsx';
import { Pushed } from '../save/Pushed.tsx';

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

function OneChange({ result: { case_id, run_id }, output, change }: OneProps): JSX.Element {
  const [suite, setSuite] = useState<Suite>();
  const { title, verb, words, label, body } = change;
  const save = async () => {
    await write(
      async (sdk) => sdk.cases.update(case_id, body(output, await sdk.cases.get(case_id))),
      'suites/',
      'cases/',
    );
    const changed = write(async (sdk) => {
      const { suite: found } = await sdk.runs.get(run_id);
      return found ? sdk.suites.get(found.project_slug, found.slug) : undefined;
    });
    // It is changed, whether its suite is known or not.
    setSuite(await changed.catch(() => undefined));
  };
  return (
    <>
      <Opener label={title} kind="quiet">
        {(close) => (
          <Confirm title={title} verb={verb} act={save} onClose={close}>
            <p>{words} This run stays as it is.</p>
            <Excerpt label={label} text={output} />
          </Confirm>
        )}
      </Opener>
      {suite && (
        <div class="detail-pushed" role="status">
          {suite.last_push ? <Pushed suite={suite} isChanged /> : 'The case is changed.'}
        </div>
      )}
    </>
  );
}
