import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { navigate } from '../../kit/router.ts';
import { Field } from '../../parts/Fields.tsx';
import { Heading } from '../../parts/Shell.tsx';

const RUN = /\brun_[0-9A-Za-z]{1,32}\b/;

/** The way to a run that somebody named, beside the lists. */
export function FindRun(): JSX.Element {
  const open = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const [id] = RUN.exec(String(new FormData(event.currentTarget).get('run'))) ?? [];
    if (id !== undefined) navigate(to.run(id));
  };
  return (
    <form onSubmit={open}>
      <input
        type="search"
        class="search"
        name="run"
        aria-label="Link or id of a run"
        placeholder="Open a run by id or link"
        required
        pattern={`.*${RUN.source}.*`}
        title="It has an id such as run_3kT9vQ."
      />
    </form>
  );
}

/** For keys that see no lists: a run by its link or its id. */
export function RunField(): JSX.Element {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const [id] = RUN.exec(text) ?? [];
    if (id === undefined) setProblem('No run id is in it: such as run_3kT9vQ, or the link of its page.');
    else navigate(to.run(id));
  };
  return (
    <div class="narrow">
      <Heading title="Open a run" />
      <form class="stack" onSubmit={open}>
        <Field
          label="Link or id of a run"
          hint="This key runs gates and reads runs: it sees no list of projects."
          problem={problem}
        >
          {(id) => (
            <input
              id={id}
              required
              value={text}
              spellcheck={false}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <div class="dialog-buttons">
          <button type="submit" class="primary">
            Open
          </button>
        </div>
      </form>
    </div>
  );
}
