import { safeJson } from './escape.ts';

type One<Item> = Item | readonly Item[];

interface Assertion {
  readonly path: string;
  readonly op: string;
  readonly value?: unknown;
}

interface Calls {
  readonly tool: One<string>;
  readonly except?: One<string>;
  readonly arguments?: unknown;
  readonly arguments_include?: unknown;
  readonly assertions?: readonly Assertion[];
  readonly result?: readonly Assertion[];
  readonly failed?: boolean;
  readonly same?: readonly (
    | string
    | { readonly path: string; readonly in?: string; readonly in_result?: string }
  )[];
  readonly same_step?: boolean;
  readonly own?: boolean;
}

/** A rule of a `trajectory` scorer, as its config has it. */
export interface ShownRule {
  readonly name: string;
  readonly when: One<Calls>;
  readonly before?: One<Calls>;
  readonly after?: One<Calls>;
  readonly never_after?: One<Calls>;
  readonly at_most?: number;
  readonly sum?: string;
  readonly per?: string | readonly string[];
}

/** Those of a scorer's config; none where it has none. */
export function rulesIn(config: unknown): readonly ShownRule[] {
  const rules = typeof config === 'object' && config !== null ? Reflect.get(config, 'rules') : undefined;
  return Array.isArray(rules) ? rules : [];
}

/** A rule in a sentence. All of it may be foreign words. */
export function ruleSentence({ when, before, after, never_after, at_most, sum, per }: ShownRule): string {
  const calls = someOf(when);
  if (before !== undefined) return `Each ${calls} needs, before it, ${neededOf(before)}`;
  if (after !== undefined) return `Each ${calls} needs, after it, ${neededOf(after)}`;
  if (never_after !== undefined)
    return `After ${calls}, or at once with it, there is never ${neededOf(never_after)}`;
  const group = Array.isArray(per) ? ` with the same ${per.join(', ')}` : per === 'step' ? ' at once' : '';
  const what = sum === undefined ? `call${at_most === 1 ? '' : 's'}` : `as the sum of ${sum}`;
  return `At most ${at_most} ${what} of ${calls.replace(/^call\b/, 'any tool')}${group}`;
}

const listOf = <Item>(some: One<Item>): readonly Item[] => (Array.isArray(some) ? some : [some as Item]);
const someOf = (some: One<Calls>): string =>
  listOf(some)
    .map((calls) => callsOf(calls))
    .join(', or ');
const neededOf = (some: One<Calls>): string =>
  listOf(some)
    .map((calls) => callsOf(calls, `${calls.own ? ' of its own' : ''}${sameOf(calls)}`))
    .join(', or ');

/** `partner`: how they go with the `when` call. */
function callsOf({ tool, except, failed, ...conditions }: Calls, partner = ''): string {
  const tools = listOf(tool).join(' or ').replace(/^\*$/, 'call');
  const state = failed === undefined ? '' : failed ? ' that failed' : ' that did not fail';
  const { arguments: complete, arguments_include: part, assertions = [], result = [] } = conditions;
  const parts = [
    ...(complete === undefined ? [] : [`with exactly ${safeJson(complete)}`]),
    ...(part === undefined ? [] : [`with ${safeJson(part)}`]),
    ...(assertions.length === 0 ? [] : [`with ${assertions.map(assertionWords).join(' and ')}`]),
  ];
  const answer = result.length === 0 ? '' : `, whose result has ${result.map(assertionWords).join(' and ')}`;
  const exceptions = except === undefined ? '' : ` (but for ${listOf(except).join(', ')})`;
  return `${[`${tools}${exceptions}${state}`, ...parts].join(' ')}${partner}${answer}`;
}

function sameOf({ same = [], same_step }: Calls): string {
  const parts = same.map((rule) => {
    if (typeof rule === 'string') return `the same ${rule}`;
    return rule.in === undefined
      ? `its ${rule.path} as ${rule.in_result} of the result`
      : `its ${rule.path} as ${rule.in}`;
  });
  const joined = parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
  return `${joined}${same_step ? ' (also at once)' : ''}`;
}

const WORDS = new Map([
  ['equals', '='],
  ['not_equals', '≠'],
  ['gte', '≥'],
  ['lte', '≤'],
  ['exists', 'there'],
  ['absent', 'absent'],
  ['length_gte', 'of length ≥'],
  ['length_lte', 'of length ≤'],
]);

const assertionWords = ({ path, op, value }: Assertion): string =>
  [path, WORDS.get(op) ?? op, ...(value === undefined ? [] : [safeJson(value)])].join(' ');
