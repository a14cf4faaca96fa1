import type { JSX } from 'preact';
import type { Scorer, Suite } from '../../../sdk/index.ts';
import { address, navigate, withQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Empty, Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { originalKey, useOriginal } from './data.ts';
import { NewCase, type NewCaseProps } from './NewCase.tsx';

export type Mode = 'new' | 'order' | undefined;

export interface CasesProps {
  readonly project: string;
  readonly suite: Suite;
  readonly scorers: readonly Scorer[];
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

/** The form of a new case, also where the address wants one, or one like another; what there is where there is none yet. */
export function Making({
  isFirst,
  ...props
}: CasesProps & { readonly isFirst: boolean }): JSX.Element | null {
  const { project, suite, scorers, mode, onMode } = props;
  const isLike = originalKey() !== '';
  const isOpen = mode === 'new' || isLike || address.value.query.has('new');
  if (isFirst && !(isOpen && may.value.edit)) {
    return (
      <Empty title="No cases yet">
        {may.value.edit
          ? 'A case is an input for the program, with the answer that is expected of it.'
          : 'This key reads only: it adds none.'}
      </Empty>
    );
  }
  if (!isOpen || !may.value.edit) return null;
  const end = (newKey?: string) => {
    onMode(undefined);
    navigate(withQuery({ like: undefined, new: undefined, made: newKey }), { replaces: true });
  };
  const form = { project, suite, scorers, onMade: end, onClose: () => end() };
  return isLike ? <Another {...form} /> : <NewCase {...form} />;
}

/** The form with the fields of a case that is there already. */
function Another(form: NewCaseProps): JSX.Element {
  const { data: original, problem, reload } = useOriginal(form.suite.id);
  if (original) return <NewCase {...form} key={original.id} original={original} />;
  if (original === undefined)
    return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="the case" />;
  return (
    <NewCase {...form}>
      <Notice tone="warning">
        This suite has no case{' '}
        <code>
          <Foreign text={originalKey()} />
        </code>
        : it was deleted, or has another key by now. The fields below are those of any new case.
      </Notice>
    </NewCase>
  );
}
