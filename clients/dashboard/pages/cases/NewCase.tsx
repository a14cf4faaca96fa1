import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Case, Scorer, Suite } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import {
  asNewScorer,
  completeCase,
  newCase,
  newScorerType,
  requireExpected,
  typedLike,
} from '../../kit/form/case.ts';
import { configOf, typedConfig } from '../../kit/form/config.ts';
import { useForm } from '../../kit/form/form.ts';
import { FIRST_TYPE, scorerForm } from '../../kit/form/forms.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { CaseFields } from '../../parts/fields/CaseFields.tsx';
import { casesKey, scorersKey, suitesKey } from '../../parts/save/data.ts';
import { Foreign } from '../../parts/Words.tsx';

export interface NewCaseProps {
  readonly project: string;
  readonly suite: Suite;
  readonly scorers: readonly Scorer[];
  /** The case that its fields are taken from. */
  readonly original?: Case | undefined;
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
  /** Before its fields. */
  readonly children?: ComponentChildren;
}

/** Adds a case, with a scorer of its own where there is none that fits: one save. */
export function NewCase({ project, suite, scorers, original, onMade, onClose, children }: NewCaseProps) {
  // A judge costs money: it is chosen, not taken by itself.
  const newest = scorers.find(({ type }) => !scorerForm(type).isJudged);
  const blank = {
    ...newCase(),
    ...(newest
      ? { scorer_id: newest.id }
      : { scorer_id: asNewScorer(FIRST_TYPE), ...typedConfig(FIRST_TYPE) }),
  };
  const form = useForm(original ? typedLike(original) : blank);
  // Where the case was refused, the next save takes the scorer that the one before made.
  const createdScorers = useRef(new Map<string, string>());
  const scorerId = async (): Promise<string> => {
    const type = newScorerType(form);
    if (!type) return form.text('scorer_id');
    const config = configOf(form, type);
    const same = JSON.stringify([type, config]);
    const known = createdScorers.current.get(same);
    if (known) return known;
    const { id } = await write((sdk) =>
      sdk.scorers.create(project, { name: scorerForm(type).label, type: type as Scorer['type'], config }),
    );
    createdScorers.current.set(same, id);
    return id;
  };
  const create = async () => {
    const body = completeCase(form);
    const chosen = scorers.find(({ id }) => id === form.text('scorer_id'));
    requireExpected(form, newScorerType(form) ?? chosen?.type);
    const scorer_id = await scorerId();
    const { key } = await write(
      (sdk) => sdk.cases.create(suite.id, { ...body, scorer_id }),
      casesKey(suite.id),
      suitesKey(project),
      scorersKey(project),
    );
    form.settle(() => onMade(key));
  };
  return (
    <FormDialog
      title="New case"
      verb="Add case"
      action={form.action}
      act={create}
      onClose={onClose}
      onDone={() => undefined}
    >
      {children}
      {original && (
        <p class="hint">
          Filled from the case <Foreign text={original.key} />. It expects what that one expects, whatever a
          run answered.
        </p>
      )}
      <CaseFields form={form} scorers={scorers} canMake />
    </FormDialog>
  );
}
