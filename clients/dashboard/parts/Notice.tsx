import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../kit/problems.ts';
import { shown } from '../kit/text.ts';

type Tone = 'info' | 'warning' | 'danger';

interface Props {
  readonly tone?: Tone;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** Something that the reader should know, in a box of its own. */
export function Notice({ tone = 'info', title, children }: Props): JSX.Element {
  return (
    <div class={`notice is-${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
      {title && <strong>{title} </strong>}
      {children}
    </div>
  );
}

/** Seconds until then; it counts down. */
function useSecondsUntil(atMs = 0): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (atMs === 0) return;
    const timer = setInterval(() => tick((ticks) => ticks + 1), 1_000);
    return () => clearInterval(timer);
  }, [atMs]);
  return Math.max(0, Math.ceil((atMs - Date.now()) / 1_000));
}

/** What happens next: a page asks again by itself, what was sent by hand is not sent again. */
function nextWords(seconds: number, isByItself: boolean): string {
  if (isByItself) return ` Again by itself in ${seconds} s.`;
  return seconds > 0 ? ` Try again in ${seconds} s.` : ' Try again.';
}

interface TroubleProps {
  readonly problem: Problem | undefined;
  /** Asks again. */
  readonly retry?: (() => void) | undefined;
}

/** A request that failed: what is the matter, what to do, and what finds it in the service's log. */
export function Trouble({ problem, retry }: TroubleProps): JSX.Element | null {
  const seconds = useSecondsUntil(problem?.againAtMs);
  if (!problem) return null;
  const { words, requestId, againAtMs, mayRetry, fields } = problem;
  return (
    <Notice tone="danger">
      <span>{shown(words)}</span>
      {fields.size > 0 && (
        <ul>
          {[...fields].map(([path, message]) => (
            <li key={path}>
              <code>{shown(path)}</code> {shown(message)}
            </li>
          ))}
        </ul>
      )}
      {againAtMs !== undefined && <span class="muted">{nextWords(seconds, retry !== undefined)}</span>}
      {requestId && (
        <span class="muted">
          {' '}
          Request id <code>{shown(requestId)}</code>.
        </span>
      )}
      {mayRetry && retry && (
        <button type="button" class="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </Notice>
  );
}

/** What stands where there is nothing yet: what it would be, and the next step. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** In place of what is asked for. */
export function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <p class="loading muted" role="status">
      Loading {what} …
    </p>
  );
}
