import { equalJson } from '../../../scoring/compare/equality.ts';
import { gates } from '../../../scoring/verdict/gates/registry.ts';
import { type Effect, ofBar } from '../../../scoring/verdict/strictness.ts';

/** What no verdict depends on. */
const DECIDES_NOTHING: ReadonlySet<string> = new Set([
  'name',
  'description',
  'examples',
  'keep_outputs',
  'version',
  'updated_at',
]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a write of one suite, case or scorer certainly lets no output pass that did not before. What only a plan of the
 * whole suite could prove counts as weaker.
 */
export const isAsStrict = (before: object, after: object): boolean =>
  Object.keys({ ...before, ...after }).every((name) =>
    isFieldAsStrict(name, before as Fields, after as Fields),
  );

function isFieldAsStrict(name: string, { [name]: from }: Fields, after: Fields): boolean {
  const to = after[name];
  if (DECIDES_NOTHING.has(name) || equalJson(from ?? null, to ?? null)) return true;
  switch (name) {
    case 'threshold':
      return !hasSamples(after) && ofBar(Number(from), Number(to)) === 'stricter';
    case 'pass_threshold':
      return ofBar(Number(from), Number(to)) === 'stricter';
    case 'must_pass':
      return to === true;
    case 'gates':
      return gates.every((gate) => AS_STRICT.has(gate.effect(from as never, to as never)));
    default:
      return false;
  }
}

/** Where one of them could not be judged, a failure of another is a verdict: a gate may count the case then. */
const hasSamples = ({ sample_count: count }: Fields): boolean => Number(count ?? 1) > 1;

const AS_STRICT: ReadonlySet<Effect> = new Set<Effect>(['same', 'stricter']);
