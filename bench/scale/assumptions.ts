import type { Row } from '../result.ts';

/** How long a transaction takes, ms: a quick, a usual and a slow table. Models show how their figures hang on it. */
export const TRANSACTION_MS = [8, 15, 25] as const;
export const USUAL_TRANSACTION_MS = 15;

/** What the models assume of AWS. It was never measured for this service. */
export const ASSUMED = {
  getMs: 4,
  /** A write outside a transaction. */
  writeMs: 5,
  /** Each operation takes its time more or less this part of it, drawn evenly. */
  spread: 0.25,
  /** The part of a transaction during which its items are held, and the one before. */
  held: 0.6,
  untilHeld: 0.2,
  /** A transaction that is refused for a conflict is prepared, but not committed. */
  refusedUnits: 0.5,
} as const;

const assumed = (metric: string, value: number, unit: string): Row => ({
  metric: `assumed: ${metric}`,
  value,
  unit,
});

/** The first rows of the table. */
export const assumptionRows = (): Row[] => [
  ...TRANSACTION_MS.map((ms) => assumed('a transaction takes, in turn', ms, 'ms')),
  assumed('a transaction takes, where nothing else is said', USUAL_TRANSACTION_MS, 'ms'),
  assumed('a read takes', ASSUMED.getMs, 'ms'),
  assumed('a write outside a transaction takes', ASSUMED.writeMs, 'ms'),
  assumed('an operation takes more or less by', 100 * ASSUMED.spread, '%'),
  assumed('an item is held for this part of its transaction', 100 * ASSUMED.held, '%'),
  assumed('units of a transaction that another one refused', 100 * ASSUMED.refusedUnits, '% of its units'),
  assumed('units of a partition and second above which DynamoDB refuses: not modelled', 1_000, 'write units'),
];
