import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { useAction, useAnswer } from '../../kit/api.ts';
import { useLeaveGuard } from '../../kit/leave.ts';
import { navigate } from '../../kit/router.ts';
import { readOffers, sdk, signIn, whoami } from '../../kit/session.ts';
import { Snippet } from '../../parts/Copy.tsx';
import { Field } from '../../parts/Fields.tsx';
import { Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';

/** A new organisation: its name, then its first key, which is shown once. */
export function Page(): JSX.Element {
  const [key, setKey] = useState<string>();
  const isIn = Boolean(whoami.value);
  useEffect(() => {
    if (isIn) navigate(to.home, { replaces: true });
  }, [isIn]);
  return (
    <div class="card">
      {key === undefined ? <NewOrganisation onKey={setKey} /> : <FirstKey apiKey={key} />}
    </div>
  );
}

interface NewProps {
  readonly onKey: (key: string) => void;
}

/** Only where the service takes new organisations. */
function NewOrganisation({ onKey }: NewProps): JSX.Element {
  const { data, problem, reload } = useAnswer('app.json', (_, { signal }) => readOffers(signal));
  if (data?.sign_up === 'open') return <NameForm onKey={onKey} />;
  return (
    <>
      <Heading title="Create an organisation" />
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="what the service offers" />}
      {data && (
        <>
          <Notice title="Sign-up is closed on this service.">
            Its operator makes organisations. In one that exists, a key of scope full makes a key for you.
          </Notice>
          <a class="button" href={to.signIn()}>
            Sign in instead
          </a>
        </>
      )}
    </>
  );
}

function NameForm({ onKey }: NewProps): JSX.Element {
  const [name, setName] = useState('');
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(async () => onKey((await sdk.auth.signup({ name: name.trim() })).api_key.key));
  };
  return (
    <>
      <Heading title="Create an organisation" />
      <form class="stack" onSubmit={submit}>
        <Field label="Name" hint="Of your company or team." problem={action.problem?.fields.get('name')}>
          {(id) => (
            <input
              id={id}
              name="organization"
              autocomplete="organization"
              required
              maxLength={100}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Trouble problem={action.problem} />
        <div class="dialog-buttons">
          <a class="button" href={to.signIn()}>
            Sign in instead
          </a>
          <button type="submit" class="primary" disabled={action.isBusy}>
            Create
          </button>
        </div>
      </form>
    </>
  );
}

const fileOf = (key: string): string => URL.createObjectURL(new Blob([`${key}\n`], { type: 'text/plain' }));

function FirstKey({ apiKey }: { readonly apiKey: string }): JSX.Element {
  const [isStored, setStored] = useState(false);
  const [file] = useState(() => fileOf(apiKey));
  const action = useAction();
  useLeaveGuard(!isStored);
  const enter = () => {
    setStored(true);
    void action.run(() => signIn(apiKey));
  };
  return (
    <>
      <Heading title="Your API key" />
      <Notice tone="warning" title="It is shown once.">
        Store it in a password manager: it is how you sign in, and how CI runs gates.
      </Notice>
      <Snippet text={apiKey} label="Copy key" />
      <Trouble problem={action.problem} />
      <div class="dialog-buttons">
        <a class="button" href={file} download="evalgate-api-key.txt">
          Download
        </a>
        <button type="button" class="primary" disabled={action.isBusy} onClick={enter}>
          I have stored it
        </button>
      </div>
    </>
  );
}
