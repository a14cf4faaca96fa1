import type { ComponentChildren, JSX } from 'preact';
import type { Action } from '../kit/api.ts';
import { Dialog } from './Confirm.tsx';
import { FormButtons } from './Fields.tsx';
import { Trouble } from './Notice.tsx';

interface Props {
  readonly title: string;
  /** What the button does, such as "Create suite". */
  readonly verb: string;
  readonly action: Action;
  /** Closes the dialog when it succeeded. */
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** A form that is filled in first. What was typed stays where it fails. */
export function FormDialog({ title, verb, action, act, onClose, ...rest }: Props): JSX.Element {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(act).then((isDone) => isDone && onClose());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {rest.children}
        <Trouble problem={action.problem} />
        <FormButtons verb={verb} isBusy={action.isBusy || rest.isDisabled} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
