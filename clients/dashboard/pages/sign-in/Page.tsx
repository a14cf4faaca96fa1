import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { useAnswer } from '../../kit/api.ts';
import { address, isOwnAddress, navigate } from '../../kit/router.ts';
import { readOffers, signIn, whoami } from '../../kit/session.ts';
import { KeyForm } from '../../parts/KeyForm.tsx';
import { Heading } from '../../parts/Shell.tsx';

/** Where a link wanted to lead. */
function nextAddress(): string {
  const next = address.value.query.get('next') ?? to.home;
  return isOwnAddress(next) ? next : to.home;
}

/** An API key for a session. */
export function Page(): JSX.Element {
  const offers = useAnswer('app.json', (_, { signal }) => readOffers(signal));
  const isIn = Boolean(whoami.value);
  useEffect(() => {
    if (isIn) navigate(nextAddress(), { replaces: true });
  }, [isIn]);
  return (
    <div class="card">
      <Heading title="Sign in to evalgate" tab="Sign in" />
      {address.value.query.has('next') && <p>Sign in to open the page that the link leads to.</p>}
      <KeyForm verb="Sign in" onKey={signIn} />
      <p class="hint">
        You stay signed in for twelve hours. The browser does not keep the key. Give each person a key of
        their own, so that the history shows who did what.
      </p>
      {offers.data?.sign_up === 'closed' && (
        <p>
          No key yet? Sign-up is closed on this service: a key of scope full of your organisation makes one.
        </p>
      )}
      {offers.data?.sign_up === 'open' && (
        <p>
          No key yet? <a href={to.signUp}>Create an organisation</a>
        </p>
      )}
    </div>
  );
}
