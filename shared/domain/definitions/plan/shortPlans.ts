import type { PushedDefinition } from '../../../contracts/definitionPushes.ts';

type Told = PushedDefinition['changes'][number];

/** Without documents: names of fields, and numbers. */
export function numbersOnly(change: Told): Told {
  const fields = Object.entries(change.fields).map(([name, { from, to }]) => {
    const isNumeric = [from, to].every((value) => typeof value === 'number');
    return [name, isNumeric ? { from, to } : {}];
  });
  return { ...change, fields: Object.fromEntries(fields) };
}

export const withNumbersOnly = (answer: PushedDefinition): PushedDefinition => told(answer, numbersOnly);

export const withoutFields = (answer: PushedDefinition): PushedDefinition =>
  told(answer, (change) => ({ ...change, fields: {} }));

const told = (answer: PushedDefinition, shortForm: (change: Told) => Told): PushedDefinition => ({
  ...answer,
  changes: answer.changes.map(shortForm),
  weaker: answer.weaker.map(shortForm),
});
