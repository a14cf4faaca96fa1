import type { ChangeEntry } from '../../sdk/index.ts';

export type Effect = 'weaker' | 'stricter';
/** Undefined: the bar stays as it is. */
type Known = Effect | 'unsure' | undefined;

const STAYS = [
  'name',
  'description',
  'examples',
  'key',
  'slug',
  'order',
  'keep_outputs',
  'show_expected',
  'show_inputs',
  'show_results',
];
const HARMLESS: ReadonlySet<string> = new Set(STAYS);
const RISING = ['pass_threshold', 'threshold', 'precision_threshold', 'recall_threshold', 'sample_pass_rate'];
const RISING_GATES = ['min_judged_cases', 'min_lower_bound', 'min_comparable', 'min_caught', 'alpha'];
/** With a higher value it is stricter. A switch that is on is 1. */
const HIGHER: ReadonlySet<string> = new Set([...RISING, ...RISING_GATES, 'must_pass', 'is_active']);
const LOWER: ReadonlySet<string> = new Set(['max_newly_failing', 'min_drop', 'max_age_days']);

function byOrder(from: unknown, to: unknown): Known {
  if (from === to) return undefined;
  const areNumbers = [from, to].every((value) => typeof value === 'number' || typeof value === 'boolean');
  return areNumbers ? (Number(to) > Number(from) ? 'stricter' : 'weaker') : 'unsure';
}

type Values = Readonly<Record<string, unknown>>;
const areValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('sha256' in value);

function ofField(name: string, from: unknown, to: unknown): Known {
  if (HARMLESS.has(name) || JSON.stringify(from) === JSON.stringify(to)) return undefined;
  if (HIGHER.has(name)) return byOrder(from, to);
  if (LOWER.has(name)) return byOrder(to, from);
  return areValues(from) && areValues(to) ? gravest(fieldsOf(from, to, name === 'gates')) : 'unsure';
}

/** A gate more is stricter, one less is weaker. */
function fieldsOf(from: Values, to: Values, areGates: boolean): readonly Known[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].map((name) => {
    if (areGates && name !== 'min_comparable') {
      if (from[name] === undefined) return 'stricter';
      if (to[name] === undefined) return 'weaker';
    }
    return ofField(name, from[name], to[name]);
  });
}

/** What is weaker in one way is not stricter as a whole. */
function gravest(effects: readonly Known[]): Known {
  return (['weaker', 'unsure', 'stricter'] as const).find((effect) => effects.includes(effect));
}

/** What a change does to the bar, as far as its values say it for sure. The plan of a push says it of all changes. */
export function effectOf(change: {
  readonly action: string;
  readonly changes: ChangeEntry['changes'];
}): Effect | undefined {
  const { action, changes } = change;
  if (action === 'created') return undefined;
  if (action === 'deleted')
    return changes.is_active?.from === true && !changes.advisory ? 'weaker' : undefined;
  const effect = gravest(Object.entries(changes).map(([name, { from, to }]) => ofField(name, from, to)));
  return effect === 'unsure' ? undefined : effect;
}
