import { equalJson } from '../../../scoring/compare/equality.ts';
import { gates } from '../../../scoring/verdict/gates/registry.ts';
import { type Effect, ofBar } from '../../../scoring/verdict/strictness.ts';

/** What no verdict depends on. */
const DECIDES_NOTHING: ReadonlySet<string> = new Set([
  ...['name', 'description', 'keep_outputs', 'version', 'updated_at'],
]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a write of one suite, case or scorer certainly lets no output pass that did not before. What only a plan of the
 * whole suite could prove counts as weaker.
 */
export const isAsStrict = (before: object, after: object): boolean =>
  Object.keys({ ...before, ...after }).every((name) =>
    isFieldAsStrict(name, (before as Fields)[name], (after as Fields)[name]),
  );

function isFieldAsStrict(name: string, from: unknown, to: unknown): boolean {
  if (DECIDES_NOTHING.has(name) || equalJson(from ?? null, to ?? null)) return true;
  switch (name) {
    case 'pass_threshold':
    case 'threshold':
      return ofBar(Number(from), Number(to)) === 'stricter';
    case 'must_pass':
      return to === true;
    case 'gates':
      return gates.every((gate) => AS_STRICT.has(gate.effect(from as never, to as never)));
    default:
      return false;
  }
}

const AS_STRICT: ReadonlySet<Effect> = new Set<Effect>(['same', 'stricter']);
