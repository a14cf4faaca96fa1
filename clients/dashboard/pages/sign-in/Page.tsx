import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { to } from '../../kit/addresses.ts';
import { useAnswer } from '../../kit/api.ts';
import { lastOrganisation } from '../../kit/kept.ts';
import { address, isOwnAddress, navigate } from '../../kit/router.ts';
import { type Offers, readOffers, signIn, whoami } from '../../kit/session.ts';
import { KeyForm } from '../../parts/KeyForm.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { AtProvider } from './AtProvider.tsx';

/** Where a link wanted to lead. */
function nextAddress(): string {
  const next = address.value.query.get('next') ?? to.home;
  return isOwnAddress(next) ? next : to.home;
}

/** The organisation whose provider signs in: of the link, else that of this browser, else that of the deployment. */
const organisationOf = (offers: Offers | undefined): string | undefined =>
  address.value.query.get('organisation') || lastOrganisation() || offers?.sign_in_organisation;

/** A session by the organisation's provider, or by an API key. */
export function Page(): JSX.Element {
  const offers = useAnswer('app.json', (_, { signal }) => readOffers(signal)).data;
  const { query } = address.value;
  const isFresh = query.get('fresh') === '1';
  const named = query.get('organisation');
  const who = whoami.value;
  const isIn = Boolean(who) && !isFresh && (!named || named === who?.organisation.id);
  useEffect(() => {
    if (isIn) navigate(nextAddress(), { replaces: true });
  }, [isIn]);
  const organisation = organisationOf(offers);
  return (
    <div class="card">
      <Heading title={isFresh ? 'Sign in again' : 'Sign in to evalgate'} tab="Sign in" />
      {query.has('next') && <p>Sign in to open the page that the link leads to.</p>}
      {organisation && !isIn ? (
        <AtProvider
          key={organisation}
          organisation={organisation}
          project={query.get('project') || undefined}
          isFresh={isFresh}
          next={nextAddress()}
          isByKey={query.get('by') === 'key'}
        >
          <ByKey />
        </AtProvider>
      ) : (
        <ByKey />
      )}
      {offers?.sign_up === 'closed' && (
        <p>
          No key yet? Sign-up is closed on this service: a key of scope full of your organisation makes one.
        </p>
      )}
      {offers?.sign_up === 'open' && (
        <p>
          No key yet? <a href={to.signUp}>Create an organisation</a>
        </p>
      )}
    </div>
  );
}

const ByKey = (): JSX.Element => (
  <div class="stack">
    <KeyForm verb="Sign in" onKey={signIn} />
    <p class="hint">
      You stay signed in for twelve hours. The browser does not keep the key. Give each person a key of their
      own, so that the history shows who did what.
    </p>
  </div>
);
