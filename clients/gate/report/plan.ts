import type { DefinitionsPutAnswer } from '../../sdk/index.ts';
import { safeJson } from './escape.ts';
import { counted } from './numbers.ts';
import { ruleSentence, rulesIn } from './rules.ts';
import { joined, plain, say, type Words } from './words.ts';

export type PlannedChange = DefinitionsPutAnswer['changes'][number];

/** What a push would change in a suite, or has changed. */
export interface Plan {
  readonly suite: string;
  readonly answer: DefinitionsPutAnswer;
}

/** A line of a plan. */
export interface PlanLine {
  readonly sign: '+' | '~' | '-' | '·' | '!';
  readonly words: Words;
  readonly effect: LookedAt | undefined;
}

/** After such a change an output may be cleared that was not before. */
type LookedAt = Exclude<PlannedChange['effect'], 'same' | 'stricter'>;

export const lookedAt = ({ effect }: Pick<PlannedChange, 'effect'>): LookedAt | undefined =>
  effect === 'same' || effect === 'stricter' ? undefined : effect;

const SIGNS = { create: '+', update: '~', delete: '-', keep: '·' } as const;
const VALUE_MAX = 60;
const BY_HAND = plain('changed by hand since the last push');

/** Changes that a push makes: the rest is left alone. */
export const madeBy = ({ answer }: Plan): readonly PlannedChange[] =>
  answer.changes.filter(({ action }) => action !== 'keep');

export interface PlanDisplay {
  /** Values may quote what the bar expects: without them there are those of its numbers and switches only. */
  readonly hidesValues: boolean;
}

export const planLine = (change: PlannedChange, display: PlanDisplay): PlanLine => {
  const { kind, key, action, by_hand } = change;
  const named = kind === 'suite' ? plain('suite') : joined([plain(kind), say`${key}`], ' ');
  const what = whatWords(change, display);
  return {
    sign: by_hand && action === 'update' ? '!' : (SIGNS[action] ?? '~'),
    words: what.own.join('') === '' && what.foreign.length === 0 ? named : joined([named, what], '  '),
    effect: lookedAt(change),
  };
};

/** A line each, but for cases of which nothing changes but that all get the same other scorer: these have one. */
export function planLines(changes: readonly PlannedChange[], display: PlanDisplay): PlanLine[] {
  const moves = Map.groupBy(changes, (change) => scorerMove(change, display));
  return changes.flatMap((change) => {
    const move = scorerMove(change, display);
    const alike = (move !== undefined && moves.get(move)) || [];
    if (alike.length < 2) return [planLine(change, display)];
    const cases = plain(`${alike.length} cases`);
    const scorer = joined(fieldParts('scorer', change.fields.scorer ?? {}, display), ', ');
    const line = { sign: SIGNS.update, words: joined([cases, scorer], ': '), effect: lookedAt(change) };
    return alike[0] === change ? [line] : [];
  });
}

/** Undefined for a change of anything else, and where the scorers are not shown. */
function scorerMove({ kind, action, fields, effect, by_hand }: PlannedChange, display: PlanDisplay) {
  const { scorer, ...otherFields } = fields;
  const isMove = kind === 'case' && action === 'update' && !by_hand && Object.keys(otherFields).length === 0;
  const isShown = !display.hidesValues && typeof scorer?.from === 'string' && typeof scorer.to === 'string';
  return isMove && isShown ? JSON.stringify([scorer.from, scorer.to, effect]) : undefined;
}

function whatWords({ action, fields, by_hand }: PlannedChange, display: PlanDisplay): Words {
  const byHand = by_hand ? [BY_HAND] : [];
  if (action === 'keep') return joined([plain('not in the file'), ...byHand], ', ');
  const parts = Object.entries(fields).flatMap(([name, field]) => fieldParts(name, field, display));
  return joined([...byHand, ...(parts.length > 0 ? [joined(parts, ', ')] : [])], ': ');
}

/** A field before and after a change. */
interface Field {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** What changes of a field: of gates each one, since all of them together are soon too long to be shown. */
export function fieldParts(name: string, field: Field, display: PlanDisplay): Words[] {
  const isHidden = display.hidesValues && !FIELDS_WITH_VALUES.has(name);
  if (isHidden) return [say`${name}`];
  const { from, to } = field;
  if (name === 'config' && isShown(from) && isShown(to) && ruleChange(from, to).length > 0)
    return ruleChange(from, to);
  if (name !== 'gates' || !isShown(from) || !isShown(to)) return [fieldWords(name, field)];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((gate) => {
    const [before, after] = [from[gate] ?? null, to[gate] ?? null];
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return isSame ? [] : [fieldWords(`gates.${gate}`, { from: before, to: after })];
  });
}

/** Each rule that differs, in a sentence, and the rest of the config. None where no rule differs. */
function ruleChange(from: Readonly<Record<string, unknown>>, to: Readonly<Record<string, unknown>>): Words[] {
  const [was, is] = [from, to].map(
    (config) => new Map(rulesIn(config).map((rule) => [rule.name, ruleSentence(rule)])),
  );
  const names = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const differing = names.filter((name) => was?.get(name) !== is?.get(name));
  if (differing.length === 0) return [];
  const rules = differing.map((name) => {
    const [before, after] = [was?.get(name), is?.get(name)];
    if (after === undefined) return say`no rule ${name} any more: ${before ?? ''}`;
    return before === undefined ? say`rule ${name}: ${after}` : say`rule ${name}: ${before} → ${after}`;
  });
  const rest = ({ rules: _, ...config }: Readonly<Record<string, unknown>>) => config;
  const areOthers = JSON.stringify(rest(from)) !== JSON.stringify(rest(to));
  return areOthers ? [...rules, fieldWords('config', { from: rest(from), to: rest(to) })] : rules;
}

/** Not the digest of what is too large. */
const isShown = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !('sha256' in value);

function fieldWords(name: string, field: Field): Words {
  const [from, to] = [field.from, field.to].map(shownValue);
  if (to === undefined) return say`${name}`;
  return from === undefined || from === 'null' ? say`${name} ${to}` : say`${name} ${from} → ${to}`;
}

/** Numbers and switches of the bar: the service shows their values to every scope. */
export const FIELDS_WITH_VALUES: ReadonlySet<string> = new Set([
  'pass_threshold',
  'show_expected',
  'show_inputs',
  'show_results',
  'dual_sided',
  'precision_threshold',
  'recall_threshold',
  'threshold',
  'weight',
  'is_active',
  'must_pass',
  'sample_count',
  'sample_pass_rate',
]);

/** Undefined for what is not shown: long texts. */
function shownValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const shown = typeof value === 'string' && /^[\w-]+$/.test(value) ? value : safeJson(value);
  return shown.length > VALUE_MAX ? undefined : shown;
}

/** Of which version, and whose push it was. */
export function planTitle({ answer }: Plan): Words {
  const { definition_version: version, last_push: push, replaces } = answer;
  if (replaces !== undefined) return say`in place of the one that was deleted at ${replaces.deleted_at}`;
  if (version === 0) return plain('new');
  if (push === null) return plain(`definition version ${version}, never pushed`);
  const { repository, sha } = push.source;
  const source = sha ? `${repository}@${sha.slice(0, 7)}` : repository;
  const from = source === undefined || repository === undefined ? plain('') : say` from ${source}`;
  return joined([plain(`definition version ${version}, pushed`), from], '');
}

/** `2 to change, 1 to add.` */
export function planCounts(plan: Plan): string {
  const count = (action: PlannedChange['action']): number =>
    plan.answer.changes.filter((change) => change.action === action).length;
  const counts = [
    [count('update'), 'to change'],
    [count('create'), 'to add'],
    [count('delete'), 'to delete'],
    [count('keep'), 'left alone (--prune deletes)'],
  ] as const;
  const parts = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const sentence = parts.length === 0 ? 'nothing to change' : parts.join(', ');
  const weaker = weakerIn(plan).length;
  const otherAnswers = plan.answer.weaker.length - weaker;
  return [
    `${sentence}.`,
    ...(weaker > 0 ? [`The bar gets or may get weaker in ${counted(weaker, 'way')}.`] : []),
    ...(otherAnswers > 0 ? [`Another answer is expected in ${counted(otherAnswers, 'case')}.`] : []),
  ].join(' ');
}

/** Without cases that expect another answer. */
export const weakerIn = ({ answer }: Plan): readonly PlannedChange[] =>
  answer.weaker.filter(({ effect }) => effect !== 'another answer');

/** What is wrong with the bar after the push. An example quotes what a case expects. */
export const warningWords = (
  { code, message, gate, example }: DefinitionsPutAnswer['warnings'][number],
  { hidesValues }: PlanDisplay,
): Words => {
  const shown = example === undefined || hidesValues ? message : `${message} (${example})`;
  return code === 'GATE_CANNOT_PASS' ? say`${gate}: ${shown}` : say`${shown}`;
};

export const affectedWords = ({ answer }: Plan): Words[] =>
  answer.affects.map(({ suite, scorers }) => say`also moves the bar of ${suite}, by ${scorers.join(', ')}`);
