import type { ComponentChildren, JSX } from 'preact';
import type { Action } from '../kit/api.ts';
import { mayLeave } from '../kit/leave.ts';
import { Dialog } from './Confirm.tsx';
import { FormButtons } from './Fields.tsx';
import { Trouble } from './Notice.tsx';

interface FormProps {
  /** What the button does, such as "Create suite". */
  readonly verb: string;
  readonly action: Action;
  readonly act: () => Promise<unknown>;
  readonly isDisabled?: boolean | undefined;
  readonly children: ComponentChildren;
}

interface ActFormProps extends FormProps {
  readonly onDone?: () => void;
  readonly onCancel?: () => void;
}

/** A form that acts once it is filled in. What was typed stays where that fails. */
export function ActForm({ verb, action, act, onDone, onCancel, ...rest }: ActFormProps): JSX.Element {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(act).then((isDone) => isDone && onDone?.());
  };
  return (
    <form class="stack" onSubmit={submit}>
      {rest.children}
      <Trouble problem={action.problem} />
      <FormButtons verb={verb} isBusy={action.isBusy || rest.isDisabled} onCancel={onCancel} />
    </form>
  );
}

interface Props extends FormProps {
  readonly title: string;
  readonly onClose: () => void;
  /** In place of closing it once it succeeded. */
  readonly onDone?: () => void;
}

/** Such a form in a dialog. Escape asks before it drops what was typed. */
export function FormDialog({ title, onClose, onDone = onClose, ...form }: Props): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose} mayCancel={() => mayLeave('Close the form?')}>
      <ActForm {...form} onDone={onDone} onCancel={onClose} />
    </Dialog>
  );
}
