/** The order of a chain's members: numbers in the order in which they are shown. Undefined: that of the numbers. */
export type Order = readonly number[] | undefined;

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));

/** As it is stored: undefined where the numbers say it. */
export const orderOf = (numbers: readonly number[]): Order => (isAscending(numbers) ? undefined : numbers);

/** As differences: an order in which little has moved compresses well. */
export const differences = (order: readonly number[]): number[] =>
  order.map((number, index) => number - (order[index - 1] ?? 0) - 1);

export function fromDifferences(steps: readonly number[]): number[] {
  let last = 0;
  return steps.map((step) => {
    last += step + 1;
    return last;
  });
}
