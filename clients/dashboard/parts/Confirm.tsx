import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAction } from '../kit/api.ts';
import { Trouble } from './Notice.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether Escape may close it. */
  readonly mayCancel?: () => boolean;
  readonly children: ComponentChildren;
}

/** What has to be answered first. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, mayCancel, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        if (mayCancel?.() === false) event.preventDefault();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface OpenerProps {
  readonly label: ComponentChildren;
  readonly kind?: 'primary' | 'quiet';
  /** What it opens. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with its dialog. What makes one more of a list is a primary one at the head of the list. */
export function Opener({ label, kind, children }: OpenerProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

interface Props {
  readonly title: string;
  /** What the button does, such as "Revoke". */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Says what an act brings with it, and does it only then. */
export function Confirm({ title, verb, isDangerous = false, act, onClose, children }: Props): JSX.Element {
  const action = useAction();
  const confirm = async () => {
    if (await action.run(act)) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">{children}</div>
      <Trouble problem={action.problem} />
      <div class="dialog-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={isDangerous ? 'danger' : 'primary'}
          disabled={action.isBusy}
          onClick={confirm}
        >
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
