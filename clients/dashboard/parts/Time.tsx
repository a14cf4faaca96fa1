import type { JSX } from 'preact';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const MOMENT = new Intl.DateTimeFormat('en-GB', { ...DAY, hour: '2-digit', minute: '2-digit' });

const UNITS = [
  [60, 's', 1],
  [3_600, 'min', 60],
  [86_400, 'h', 3_600],
  [30 * 86_400, 'd', 86_400],
] as const;

/** `2 h ago`; a day where that says more. */
function ago(moment: Date, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - moment.getTime()) / 1_000));
  if (seconds < 5) return 'now';
  const [, unit, size] = UNITS.find(([limit]) => seconds < limit) ?? [];
  if (unit === undefined || size === undefined) return new Intl.DateTimeFormat('en-GB', DAY).format(moment);
  return `${Math.floor(seconds / size)} ${unit} ago`;
}

/** A moment in the reader's time zone. */
export const momentWords = (time: string): string => MOMENT.format(new Date(time));

interface Props {
  /** As the service says it. */
  readonly at: string;
  /** Since then, not the moment. */
  readonly isAgo?: boolean;
}

/** A moment in the reader's time zone; in UTC behind it. */
export function Time({ at, isAgo = false }: Props): JSX.Element {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>unknown</span>;
  const utc = `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={moment.toISOString()} title={utc}>
      {isAgo ? ago(moment, Date.now()) : MOMENT.format(moment)}
    </time>
  );
}
