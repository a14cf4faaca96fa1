import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { EvalgateError, type RunResult } from '../../../sdk/index.ts';
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

/** JSON where the case expects some; else the text as it is. */
function expectedOf(output: string, expected: unknown): unknown {
  if (typeof expected === 'string' || expected === null || !isJson(output)) return output;
  const problem = jsonProblem(output);
  if (problem === undefined) return JSON.parse(output);
  throw new EvalgateError(`The output cannot be expected as it is: ${problem}`, { code: 'ROUNDED' });
}

/** Makes an output what its case expects; only where all of both is known. */
export function Accept({ result }: { readonly result: RunResult }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const { passed, cut, output_excerpt: output, expected_excerpt: expected, case_id } = result;
  if (!may.value.edit || passed || cut || output === undefined || typeof expected !== 'string') return null;
  const accept = () =>
    write(
      async (sdk) => {
        // Its excerpt does not say whether it is a text or JSON.
        const { expected: before } = await sdk.cases.get(case_id);
        return sdk.cases.update(case_id, { expected: expectedOf(output, before) });
      },
      'suites/',
      'cases/',
    );
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Update expected
      </button>
      {isOpen && (
        <Confirm title="Update expected" verb="Update" act={accept} onClose={() => setOpen(false)}>
          <p>
            The case expects this output in later runs. This run stays as it is. If the suite is pushed from a
            repository, change it there: the next push takes this back.
          </p>
          <Excerpt label="Expected from now on" text={output} />
        </Confirm>
      )}
    </>
  );
}
