import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RunResult } from '../../../../sdk/index.ts';
import { write } from '../../../app/api.ts';
import { may } from '../../../app/session.ts';
import { Confirm } from '../../../parts/Confirm.tsx';
import { Excerpt } from '../../../parts/Excerpt.tsx';

/** A structure where the case expects one; else the text as it is. */
function expectedOf(output: string, expected: string): unknown {
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return typeof parsed(expected) === 'object' ? parsed(output) : output;
}

/** Makes an output what its case expects; only where all of both is known. */
export function Accept({ result }: { readonly result: RunResult }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const { passed, cut, output_excerpt: output, expected_excerpt: expected, case_id } = result;
  if (!may.value.edit || passed || cut || output === undefined || typeof expected !== 'string') return null;
  const accept = () =>
    write(
      (sdk) => sdk.cases.update(case_id, { expected: expectedOf(output, expected) }),
      'suites/',
      'cases/',
    );
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Accept as expected
      </button>
      {isOpen && (
        <Confirm title="Expect this output" verb="Expect it" act={accept} onClose={() => setOpen(false)}>
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
