import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Run } from '../../../sdk/index.ts';
import { useAction, write } from '../../kit/api.ts';
import { may } from '../../kit/session.ts';
import { Notice, Trouble } from '../Notice.tsx';
import { suitesKey } from '../save/data.ts';

const WORDS = {
  kept: 'From now on they are kept, as long as their runs are: comparisons with a run that is accepted later show them.',
  pushed: 'The suite is pushed from files: add keep_outputs: all to its file, and push it.',
} as const;

/** Where a comparison lacks what was answered before: what passed is kept from now on, by a click. */
export function KeepOutputs({
  suite: { project_slug, slug },
}: {
  readonly suite: NonNullable<Run['suite']>;
}): JSX.Element {
  const [outcome, setOutcome] = useState<keyof typeof WORDS>();
  const action = useAction();
  const keep = () =>
    action.run(async () => {
      const { last_push, keep_outputs } = await write((sdk) => sdk.suites.get(project_slug, slug));
      if (keep_outputs !== 'all' && last_push) return setOutcome('pushed');
      await write(
        (sdk) => sdk.suites.update(project_slug, slug, { keep_outputs: 'all' }),
        suitesKey(project_slug),
      );
      setOutcome('kept');
    });
  return (
    <Notice>
      {outcome ? WORDS[outcome] : 'What passed before was not kept.'}
      {!outcome && may.value.edit && (
        <button type="button" disabled={action.isBusy} onClick={keep}>
          Keep the outputs of all cases from now on
        </button>
      )}
      <Trouble problem={action.problem} />
    </Notice>
  );
}
