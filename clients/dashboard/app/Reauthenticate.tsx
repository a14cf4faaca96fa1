import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../kit/api.ts';
import { Dialog } from '../parts/Confirm.tsx';
import { Field, FormButtons } from '../parts/Fields.tsx';
import { Trouble } from '../parts/Notice.tsx';

interface KeyFormProps {
  readonly verb: string;
  readonly onKey: (key: string) => Promise<unknown>;
  readonly onCancel?: () => void;
}

/** Asks for an API key. A password manager may keep it; nothing else does. */
export function KeyForm({ verb, onKey, onCancel }: KeyFormProps): JSX.Element {
  const [key, setKey] = useState('');
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(() => onKey(key));
  };
  return (
    <form onSubmit={submit} class="stack">
      <input type="text" name="username" autocomplete="username" value="evalgate" hidden readOnly />
      <Field label="API key">
        {(id) => (
          <input
            id={id}
            type="password"
            name="key"
            autocomplete="current-password"
            spellcheck={false}
            required
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        )}
      </Field>
      <Trouble problem={action.problem} />
      <FormButtons verb={verb} isBusy={action.isBusy} onCancel={onCancel} />
    </form>
  );
}

interface Props {
  readonly reason: 'ended' | 'sensitive';
  readonly onKey: (key: string) => Promise<unknown>;
  readonly onCancel: () => void;
}

const WORDS = {
  ended: {
    title: 'Your session ended',
    text: 'Twelve hours are over, the key was revoked, or you signed out in another tab. What you typed is still here: sign in again to go on.',
  },
  sensitive: {
    title: 'Your key again',
    text: 'You signed in more than ten minutes ago, and this could weaken a gate, cost money or give access away.',
  },
} as const;

/** Asks for the key over the page, which stays as it is. */
export function Reauthenticate({ reason, onKey, onCancel }: Props): JSX.Element {
  const { title, text } = WORDS[reason];
  return (
    <Dialog title={title} onClose={onCancel}>
      <p>{text}</p>
      <KeyForm verb="Go on" onKey={onKey} onCancel={onCancel} />
    </Dialog>
  );
}
