import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../parts/Confirm.tsx';

const KEYS = {
  j: 'next case',
  k: 'previous case',
  Enter: 'open or close the case',
  d: 'marked differences, or plain texts',
  c: 'copy the link of the case',
  '/': 'search',
  '?': 'this list',
} as const;

export type Shortcuts = Readonly<Partial<Record<keyof typeof KEYS, () => void>>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null;

/** Single letters disturb who dictates: they can be switched off. */
let areOn = true;

/** Keys of the page, and the list of them behind a button. */
export function Keys({ shortcuts }: { readonly shortcuts: Shortcuts }): JSX.Element {
  const [isShown, setShown] = useState(false);
  const [isOn, setOn] = useState(areOn);
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!areOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const shortcut = event.key === '?' ? () => setShown(true) : shortcuts[event.key as keyof typeof KEYS];
      if (!shortcut) return;
      event.preventDefault();
      shortcut();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  });
  const toggle = (on: boolean) => {
    areOn = on;
    setOn(on);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setShown(true)}>
        Shortcuts
      </button>
      {isShown && (
        <Dialog title="Keyboard shortcuts" onClose={() => setShown(false)}>
          <dl class="keys">
            {Object.entries(KEYS).map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <label>
            <input
              type="checkbox"
              checked={isOn}
              onChange={({ currentTarget }) => toggle(currentTarget.checked)}
            />{' '}
            Shortcuts are on
          </label>
          <div class="dialog-buttons">
            <button type="button" onClick={() => setShown(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
