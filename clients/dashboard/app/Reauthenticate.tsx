import type { JSX } from 'preact';
import { Dialog } from '../parts/Confirm.tsx';
import { KeyForm } from '../parts/KeyForm.tsx';

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
