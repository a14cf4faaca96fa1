import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

const SHOWN_MS = 2_000;

interface Props {
  readonly text: string;
  /** Such as "Copy link". */
  readonly label?: string;
  /** Only the icon is seen. */
  readonly isSmall?: boolean;
}

/** Puts a text into the clipboard, and says so. */
export function Copy({ text, label = 'Copy', isSmall = false }: Props): JSX.Element {
  const [outcome, setOutcome] = useState<'Copied' | 'Not copied: select it by hand' | undefined>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not copied: select it by hand'),
    );
  return (
    <button type="button" class="quiet copy" onClick={copy} title={label}>
      <Icon name={outcome === 'Copied' ? 'passed' : 'copy'} />
      <span class={isSmall && !outcome ? 'hidden' : ''} role="status">
        {outcome ?? label}
      </span>
    </button>
  );
}

/** A text to paste elsewhere, such as a command. */
export function Snippet({ text, label = 'Copy' }: Props): JSX.Element {
  return (
    <div class="snippet">
      <pre>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  );
}
