import { batch, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { type BegunSignIn, takeBegun } from '../../kit/kept.ts';
import { type Problem, problemOf } from '../../kit/problems.ts';
import { isOwnAddress, navigate, type PageProps, takeProviderAnswer } from '../../kit/router.ts';
import { finishSignIn } from '../../kit/signIn.ts';
import { Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { Foreign } from '../../parts/Words.tsx';

const FOREIGN_MAX = 200;

interface Outcome {
  readonly is: 'under way' | 'refused' | 'nothing' | 'failed' | 'done';
  /** Of the provider. Foreign. */
  readonly refusal?: string;
  readonly problem?: Problem;
}

/** Of this load of the page: the session that it begins shows another account, for which the page is made anew. */
const outcome = signal<Outcome>({ is: 'under way' });
let begun: BegunSignIn | undefined;
let isTaken = false;

const nextOf = ({ next }: BegunSignIn): string => (isOwnAddress(next) ? next : to.home);

async function finish(organisation: string): Promise<void> {
  isTaken = true;
  const answer = takeProviderAnswer();
  begun = takeBegun();
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answer.get(name) ?? undefined);
  const error = answer.get('error');
  if (error) {
    const why = answer.get('error_description');
    const refusal = [error, why].filter(Boolean).join(': ').slice(0, FOREIGN_MAX).toWellFormed();
    outcome.value = { is: 'refused', refusal };
    return;
  }
  // Another organisation's provider must not have this code: it was not what this tab left for.
  if (!code || !state || begun?.organisation !== organisation) {
    outcome.value = { is: 'nothing' };
    return;
  }
  try {
    await finishSignIn(organisation, { code, state, ...(iss && { iss }) });
  } catch (problem) {
    outcome.value = { is: 'failed', problem: problemOf(problem) };
    return;
  }
  const { isFresh } = begun;
  const next = nextOf(begun);
  batch(() => {
    outcome.value = { is: 'done' };
    if (!isFresh) navigate(next, { replaces: true });
  });
}

/** Where the provider sends the browser back to. */
export function Page({ params: { org = '' } }: PageProps): JSX.Element {
  useEffect(() => {
    if (!isTaken) void finish(org);
  }, []);
  const { is } = outcome.value;
  return (
    <div class="card">
      {is === 'under way' ? <UnderWay /> : is === 'done' ? <Done /> : <NotIn organisation={org} />}
    </div>
  );
}

const UnderWay = (): JSX.Element => (
  <>
    <Heading title="Signing in" />
    <Loading what="who you are" />
  </>
);

const Done = (): JSX.Element => (
  <>
    <Heading title="You are signed in" />
    <p>Go back to the tab that you came from: it goes on by itself. You can close this one.</p>
  </>
);

function NotIn({ organisation }: { readonly organisation: string }): JSX.Element {
  const { is, refusal = '', problem } = outcome.value;
  const next = begun && nextOf(begun);
  const fields = {
    ...(begun?.isFresh && { fresh: '1' as const }),
    ...(next && next !== to.home && { next }),
  };
  return (
    <>
      <Heading title="Not signed in" />
      {is === 'refused' && (
        <Notice tone="danger" title="The provider did not sign you in.">
          Its answer: <Foreign text={refusal} />
        </Notice>
      )}
      {is === 'nothing' && (
        <p>
          This tab began no sign-in that could be finished here: it was finished before, or begun elsewhere.
        </p>
      )}
      <Trouble problem={problem} />
      <div class="dialog-buttons">
        <a class="button" href={to.signInAt(organisation, { ...fields, by: 'key' })}>
          Use an API key
        </a>
        <a class="button primary" href={to.signInAt(organisation, fields)}>
          Sign in again
        </a>
      </div>
    </>
  );
}
