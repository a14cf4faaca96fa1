import type { JSX } from 'preact';
import type { Scorer, Suite } from '../../../sdk/index.ts';
import { navigate, withQuery } from '../../kit/router.ts';
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

/** The form of a new case: it is there where there is none yet, and where the address wants one like another. */
export function Making({
  isFirst,
  ...props
}: CasesProps & { readonly isFirst: boolean }): JSX.Element | null {
  const { project, suite, scorers, mode, onMode } = props;
  const isLike = originalKey() !== '';
  if (!may.value.edit)
    return isFirst ? <Empty title="No cases yet">This key reads only: it adds none.</Empty> : null;
  if (mode !== 'new' && !isLike && !isFirst) return null;
  const end = (newKey?: string) => {
    onMode(undefined);
    navigate(withQuery({ like: undefined, made: newKey }), { replaces: true });
  };
  const form = { project, suite, scorers, onMade: end, onCancel: isFirst ? undefined : () => end() };
  return isLike ? <Another {...form} /> : <NewCase {...form} />;
}

/** The form with the fields of a case that is there already. */
function Another(form: NewCaseProps): JSX.Element {
  const { data: original, problem, reload } = useOriginal(form.suite.id);
  if (original) return <NewCase {...form} key={original.id} original={original} />;
  if (original === undefined)
    return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="the case" />;
  return (
    <>
      <Notice tone="warning">
        This suite has no case{' '}
        <code>
          <Foreign text={originalKey()} />
        </code>
        : it was deleted, or has another key by now. The fields below are those of any new case.
      </Notice>
      <NewCase {...form} />
    </>
  );
}
