import { COUNTED, type JsonCheck } from './checks.ts';

type Assertion = JsonCheck['assertion'];

/**
 * Assertions that also say what a value has to be, which `json_path` says only of one with a length or a bound. Undefined
 * where one is left.
 */
export function withKinds(checks: readonly JsonCheck[]): readonly JsonCheck[] | undefined {
  let left = checks;
  for (const kind of checks.filter(({ assertion }) => assertion.is !== undefined)) {
    const place = left.findIndex((other) => saysKind(kind.assertion, other.assertion));
    const other = left[place];
    if (other === undefined) return undefined;
    left = left.with(place, withKind(kind, other)).filter((one) => one !== kind);
  }
  return left;
}

function saysKind({ is, path }: Assertion, other: Assertion): boolean {
  if (other.path !== path) return false;
  if (is === 'number') return other.op === 'gte' || other.op === 'lte';
  return other.op === 'length_gte' && Number(other.value) > 0;
}

/** A list of at least three has a third item; a text of at least three characters has them. */
function withKind({ assertion: { is, path } }: JsonCheck, other: JsonCheck): JsonCheck {
  if (is === 'number') return other;
  const least = Number(other.assertion.value);
  const differences = other.differences.filter((difference) => difference !== COUNTED);
  const assertion: Assertion =
    is === 'list'
      ? { path: `${path}[${least - 1}]`, op: 'exists' }
      : { path, op: 'matches', value: `^[^]{${least},}` };
  return { assertion, differences };
}
