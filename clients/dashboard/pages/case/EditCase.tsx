import type { JSX } from 'preact';
import type { Case, CasesCreateBody, DefinitionsPutBody, Suite } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { changedCase, requireExpected, typedCase } from '../../kit/form/case.ts';
import { useForm } from '../../kit/form/form.ts';
import { forms } from '../../kit/form/forms.ts';
import { FormButtons } from '../../parts/Fields.tsx';
import { CaseFields } from '../../parts/fields/CaseFields.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { casesKey, suitesKey, useScorers } from '../../parts/save/data.ts';
import { definedScorer, movesOf } from '../../parts/save/moves.ts';
import { useBarSave } from '../../parts/save/useBarSave.tsx';

type Changed = Partial<CasesCreateBody>;
type Defined = NonNullable<DefinitionsPutBody['definition']['cases']>[number];

/** As definitions have a case. */
function definedCase(evalCase: Case, scorer: string): Defined {
  const { id, suite_id, scorer_id, sort_order, created_at, updated_at, ...fields } = evalCase;
  return { ...fields, scorer };
}

/** What an edit does to the bar, under the key that the case has. */
async function movesOfCase(project: string, suiteSlug: string, before: Case, changed: Changed) {
  const suite = await write((sdk) => sdk.suites.get(project, suiteSlug));
  const after = { ...before, ...changed, key: before.key } as Case;
  const scorer = await write((sdk) => sdk.scorers.get(after.scorer_id));
  const cases = [definedCase(after, scorer.key)];
  return movesOf(project, suite, { scorers: definedScorer(scorer), cases });
}

interface Props {
  readonly project: string;
  readonly suite: Suite;
  readonly evalCase: Case;
  /** With the key that it has now. */
  readonly onDone: (key: string) => void;
}

export function EditCase({ project, suite, evalCase, onDone }: Props): JSX.Element {
  const form = useForm(typedCase(evalCase));
  const scorers = useScorers(project);
  const { submit, notices } = useBarSave({
    form,
    fields: forms.case.fields,
    typed: typedCase,
    words: (name, value) =>
      name === 'scorer_id' ? (scorers.data?.data.find(({ id }) => id === value)?.name ?? value) : value,
    version: suite.version,
    body(typed) {
      const chosen = scorers.data?.data.find(({ id }) => id === typed.text('scorer_id'));
      requireExpected(typed, chosen?.type);
      return changedCase(typed);
    },
    moves: (changed, stored) => movesOfCase(project, suite.slug, stored, changed),
    put: (changed: Changed, expected_version) =>
      write(
        (sdk) => sdk.cases.update(evalCase.id, { ...changed, expected_version }),
        casesKey(suite.id),
        suitesKey(project),
      ),
    now: async () => {
      const [stored, { version }] = await write((sdk) =>
        Promise.all([sdk.cases.get(evalCase.id), sdk.suites.get(project, suite.slug)]),
      );
      return { stored, version };
    },
    onSaved: ({ text }) => onDone(text('key').trim() || evalCase.key),
  });
  if (!scorers.data)
    return scorers.problem ? (
      <Trouble problem={scorers.problem} retry={scorers.reload} />
    ) : (
      <Loading what="scorers" />
    );
  return (
    <form class="card stack" onSubmit={submit} aria-label="Edit the case">
      <CaseFields form={form} scorers={scorers.data.data} canMake={false} />
      {notices}
      <FormButtons verb="Save" isBusy={form.action.isBusy} onCancel={() => onDone(evalCase.key)} />
    </form>
  );
}
