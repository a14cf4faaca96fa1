import { wilson } from '../verdict/confidence.ts';

/** The lower bound of the share, of the 95 % interval; 0 of nothing. */
export const lowerOf = (hits: number, sent: number): number =>
  sent === 0 ? 0 : wilson(hits / sent, sent).lower;

/** How a judge answered about answers that have to pass, and about those that have to fail. */
export interface Agreement {
  readonly accepted: number;
  readonly rejected: number;
  readonly caught: number;
  readonly missed: number;
}

/** Cohen's κ. Null where chance alone agrees. */
export function kappaOf({ accepted, rejected, caught, missed }: Agreement): number | null {
  const [good, bad, passed] = [accepted + rejected, caught + missed, accepted + missed];
  const all = good + bad;
  const byChance = (good * passed + bad * (all - passed)) / all ** 2;
  if (all === 0 || byChance === 1) return null;
  return ((accepted + caught) / all - byChance) / (1 - byChance);
}
