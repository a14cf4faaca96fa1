import type { RepeatedVerdict } from '../../domain/reliability/reliability.ts';
import type { Said } from '../../domain/reliability/said.ts';
import type { Item } from '../table/table.ts';

const SAID: Readonly<Record<string, Said>> = { c: 'cleared', a: 'aborted', i: 'inconclusive' };

/** By the first digits of the commit's name, as `keepRepetition` writes them into the item of a bar. */
export const againIn = ({ again = {} }: Item) => again as Readonly<Record<string, string>>;

export const repeatedIn = (item: Item): RepeatedVerdict[] =>
  Object.values(againIn(item)).flatMap((value) => {
    const [first = '', second = '', outputs] = value.split(' ')[1] ?? '';
    const [one, other] = [SAID[first], SAID[second]];
    return one && other ? [{ first: one, second: other, sameOutputs: outputs === '=' }] : [];
  });
