import type { JSX } from 'preact';
import { useAction } from '../../kit/api.ts';
import { withSession } from '../../kit/reauthentication.ts';
import { address } from '../../kit/router.ts';
import { person, whoami } from '../../kit/session.ts';
import { createCliCode } from '../../kit/signIn.ts';
import { Snippet } from '../../parts/Copy.tsx';
import { Notice, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { Foreign } from '../../parts/Words.tsx';

const SCOPES = ['full', 'suites', 'read', 'run'];
const PORT_MIN = 1_024;
const PORT_MAX = 65_535;

/** What `evalgate login` waits for. */
interface Waiting {
  readonly port: number;
  readonly challenge: string;
  readonly state: string;
  readonly scope: string | undefined;
}

/** Undefined: the address is none that `evalgate login` opens. */
function waitingAt(query: URLSearchParams): Waiting | undefined {
  const [port = '', challenge = '', state = ''] = ['port', 'challenge', 'state'].map(
    (name) => query.get(name) ?? '',
  );
  const scope = query.get('scope') ?? undefined;
  const isPort = /^[1-9]\d{3,4}$/.test(port) && Number(port) >= PORT_MIN && Number(port) <= PORT_MAX;
  const isKnown = /^[\w-]{43}$/.test(challenge) && /^[\w-]{22,86}$/.test(state);
  if (!isPort || !isKnown || (scope !== undefined && !SCOPES.includes(scope))) return undefined;
  return { port: Number(port), challenge, state, scope };
}

/** To this machine only. */
function giveBack({ port, state }: Waiting, fields: Readonly<Record<string, string>>): void {
  location.replace(`http://127.0.0.1:${port}/?${new URLSearchParams({ ...fields, state })}`);
}

/** Asks whether the command line of this machine may act as the person who is signed in. */
export function Page(): JSX.Element {
  const waiting = waitingAt(address.value.query);
  return (
    <div class="card narrow">
      <Heading title="Sign in your command line" />
      {!waiting && (
        <Notice tone="danger" title="This address is none that evalgate login opens.">
          Nothing was given to anybody. Run <code>evalgate login</code> again.
        </Notice>
      )}
      {waiting && (person.value ? <Question waiting={waiting} /> : <OnlyPersons />)}
    </div>
  );
}

const OnlyPersons = (): JSX.Element => (
  <>
    <p>
      You are signed in with an API key, and a key is what the command line takes itself. Give it that key, or
      sign out here and sign in as a person.
    </p>
    <Snippet text={`evalgate login --url ${location.origin} --with-key`} label="Copy command" />
  </>
);

function Question({ waiting }: { readonly waiting: Waiting }): JSX.Element {
  const action = useAction();
  const { organisation, project, scope = '' } = whoami.value ?? {};
  const allow = () =>
    action.run(async () => {
      const { challenge, scope } = waiting;
      const code = await withSession(() => createCliCode({ challenge, ...(scope && { scope }) }));
      giveBack(waiting, { code });
    });
  return (
    <>
      <p>
        <code>evalgate login</code> on this machine asks to act as you, for eight hours. Allow it only if you
        have just started it.
      </p>
      <dl class="pairs">
        <div>
          <dt>Person</dt>
          <dd>
            <Foreign text={person.value?.label ?? ''} />
          </dd>
        </div>
        <div>
          <dt>Organisation</dt>
          <dd>
            <Foreign text={organisation?.name ?? ''} />
          </dd>
        </div>
        <div>
          <dt>Project</dt>
          <dd>
            <Foreign text={project?.name ?? 'all'} />
          </dd>
        </div>
        <div>
          <dt>Scope</dt>
          <dd>{waiting.scope ?? scope}</dd>
        </div>
      </dl>
      <Trouble problem={action.problem} />
      <div class="dialog-buttons">
        <button type="button" onClick={() => giveBack(waiting, { error: 'access_denied' })}>
          Refuse
        </button>
        <button type="button" class="primary" disabled={action.isBusy} onClick={allow}>
          Allow
        </button>
      </div>
    </>
  );
}
