import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../kit/api.ts';
import { Field, FormButtons } from './Fields.tsx';
import { Trouble } from './Notice.tsx';

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
