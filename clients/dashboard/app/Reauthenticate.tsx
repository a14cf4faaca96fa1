import type { JSX } from 'preact';
import { to } from '../kit/addresses.ts';
import { Dialog } from '../parts/Confirm.tsx';
import { KeyForm } from '../parts/KeyForm.tsx';

type Reason = 'ended' | 'sensitive';
type Texts = Readonly<Record<Reason, { readonly title: string; readonly text: string }>>;

const OF_KEYS: Texts = {
  ended: {
    title: 'Your session ended',
    text: 'Twelve hours are over, the key was revoked, or you signed out in another tab. What you typed is still here: sign in again to go on.',
  },
  sensitive: {
    title: 'Your key again',
    text: 'You signed in more than ten minutes ago, and this could weaken a gate, cost money or give access away.',
  },
};

const OF_PERSONS: Texts = {
  ended: {
    title: 'Your session ended',
    text: 'Eight hours are over, an administrator ended it, or you signed out elsewhere.',
  },
  sensitive: {
    title: 'Sign in again',
    text: 'You gave your provider the password more than ten minutes ago, and this could weaken a gate, cost money or give access away.',
  },
};

interface Props {
  readonly reason: Reason;
  readonly onCancel: () => void;
}

/** Asks for the key over the page, which stays as it is. */
export function Reauthenticate({
  reason,
  onKey,
  onCancel,
}: Props & { readonly onKey: (key: string) => Promise<unknown> }): JSX.Element {
  const { title, text } = OF_KEYS[reason];
  return (
    <Dialog title={title} onClose={onCancel}>
      <p>{text}</p>
      <KeyForm verb="Go on" onKey={onKey} onCancel={onCancel} />
    </Dialog>
  );
}

/** A person signs in again in a tab of its own. The page stays as it is, and goes on when that tab has finished. */
export function PersonAgain({
  reason,
  organisation,
  onCancel,
}: Props & { readonly organisation: string }): JSX.Element {
  const { title, text } = OF_PERSONS[reason];
  return (
    <Dialog title={title} onClose={onCancel}>
      <p>{text}</p>
      <p>What you typed is still here. Sign in again in a new tab, and this page goes on by itself.</p>
      <div class="dialog-buttons">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <a
          class="button primary"
          href={to.signInAt(organisation, { fresh: '1' })}
          target="_blank"
          rel="noreferrer"
        >
          Sign in again
        </a>
      </div>
    </Dialog>
  );
}
