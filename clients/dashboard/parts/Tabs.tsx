import type { JSX } from 'preact';
import type { Link } from './Shell.tsx';
import { Foreign } from './Words.tsx';

interface Props {
  /** What is chosen. It is heard. */
  readonly label: string;
  readonly tabs: readonly Link[];
}

/** Views of a page or a list, of which the address names one. */
export function Tabs({ label, tabs }: Props): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          <Foreign text={text} />
        </a>
      ))}
    </nav>
  );
}
