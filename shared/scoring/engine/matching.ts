/** An active case of the suite, as outputs are addressed to it. */
export interface AddressedCase {
  readonly id: string;
  readonly key: string;
  /** How many outputs it takes. */
  readonly sampleCount: number;
}

export interface MatchedOutputs<Item> {
  /** Samples by case id, in the order sent. A case without output is not in it. */
  readonly byCase: ReadonlyMap<string, readonly Item[]>;
  /** The first 20 different names, as sent, that name no case. */
  readonly surplus: readonly string[];
  /** How many items name no case. */
  readonly surplusOutputs: number;
}

/** Why the outputs of a request are refused. */
export interface RefusedOutputs {
  readonly refused: { readonly path: string; readonly message: string };
}

const SURPLUS_NAMED_MAX = 20;

/**
 * Refused where a case gets more outputs than it takes, or where no item names a case of the suite. `named`: which case a
 * name means.
 */
export function matchOutputs<Item extends { readonly case: string }>(
  cases: readonly AddressedCase[],
  items: readonly Item[],
  named: (name: string) => AddressedCase | undefined = namesOf(cases),
): MatchedOutputs<Item> | RefusedOutputs {
  const byCase = new Map<string, Item[]>();
  const surplus = new Set<string>();
  let surplusOutputs = 0;
  for (const [index, item] of items.entries()) {
    const addressed = named(item.case);
    if (addressed === undefined) {
      surplusOutputs += 1;
      if (surplus.size < SURPLUS_NAMED_MAX) surplus.add(item.case);
      continue;
    }
    const samples = byCase.get(addressed.id) ?? [];
    if (samples.length >= addressed.sampleCount) return oneTooMany(index, addressed);
    samples.push(item);
    byCase.set(addressed.id, samples);
  }
  if (byCase.size === 0) return refused('outputs', 'name no active case of the suite');
  return { byCase, surplus: [...surplus], surplusOutputs };
}

/** A single output where a case takes several could be any of them. Undefined where each takes one. */
export function refusedSingleOutput(
  cases: readonly Pick<AddressedCase, 'key' | 'sampleCount'>[],
): RefusedOutputs | undefined {
  const several = cases.find(({ sampleCount }) => sampleCount > 1);
  return (
    several && refused('output', oneForSeveral(`the case "${several.key}" takes ${several.sampleCount}`))
  );
}

export const oneForSeveral = (why: string): string => `is one, and ${why}: send outputs`;

/** Finds a case by id, in any case of letters, or else by key. */
export function namesOf<Case extends Pick<AddressedCase, 'id' | 'key'>>(
  cases: readonly Case[],
): (name: string) => Case | undefined {
  const byId = new Map(cases.map((one) => [one.id, one]));
  const byKey = new Map(cases.map((one) => [one.key, one]));
  return (name) => byId.get(name.toLowerCase()) ?? byKey.get(name);
}

const refused = (path: string, message: string): RefusedOutputs => ({ refused: { path, message } });

const oneTooMany = (index: number, { key, sampleCount }: AddressedCase) =>
  refused(
    `outputs.${index}`,
    `is one more than the case "${key}" takes: at most ${sampleCount} (its sample_count)`,
  );
