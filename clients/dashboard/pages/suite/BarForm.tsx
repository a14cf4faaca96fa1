import type { JSX } from 'preact';
import type { Suite } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { useForm, type Values } from '../../kit/form/form.ts';
import { forms } from '../../kit/form/forms.ts';
import { readChanged, typedFields } from '../../kit/form/typed.ts';
import { FormButtons } from '../../parts/Fields.tsx';
import { DescribedFields } from '../../parts/fields/DescribedFields.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { suitesKey } from '../../parts/save/data.ts';
import { movesOf } from '../../parts/save/moves.ts';
import { Pushed } from '../../parts/save/Pushed.tsx';
import { useBarSave } from '../../parts/save/useBarSave.tsx';

const { fields } = forms.suite;

const typedSuite = (suite: Suite): Values => typedFields(fields, { ...suite });

type Changed = Partial<
  Pick<
    Suite,
    'name' | 'pass_threshold' | 'gates' | 'keep_outputs' | 'show_expected' | 'show_inputs' | 'show_results'
  >
>;

interface Props extends SuiteProps {
  readonly onClose: () => void;
}

/** Edits what a run of the suite has to reach. */
export function BarForm({ project, suite, onClose }: Props): JSX.Element {
  const form = useForm(typedSuite(suite));
  const { submit, notices } = useBarSave({
    form,
    fields,
    typed: typedSuite,
    version: suite.version,
    body: (typed): Changed => readChanged(fields, typed),
    moves: (changed, stored) => movesOf(project, { ...stored, ...changed }, {}),
    put: (changed: Changed, expected_version) =>
      write(
        (sdk) => sdk.suites.update(project, suite.slug, { ...changed, expected_version }),
        suitesKey(project),
      ),
    now: async () => {
      const stored = await write((sdk) => sdk.suites.get(project, suite.slug));
      return { stored, version: stored.version };
    },
    onSaved: onClose,
  });
  return (
    <form class="card part bar-form" aria-label="The bar" onSubmit={submit}>
      <h2>The bar</h2>
      <Pushed suite={suite} />
      <DescribedFields form={form} {...forms.suite} />
      {notices}
      <FormButtons verb="Save" isBusy={form.action.isBusy || !form.isChanged} onCancel={onClose} />
    </form>
  );
}
