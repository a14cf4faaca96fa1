/** A schema of 2 kB can report millions of errors on one value: memory runs out before the deadline. */
export const ERRORS_HELD_MAX = 10_000;

/** As many characters of paths: each of 10,000 errors may hold the name of one property of 50,000 characters. */
const PATHS_HELD_MAX = 4_000_000;

/** Thrown by a validator that stopped at the limit, with its errors so far. The value may still be valid. */
export interface TooManyErrors {
  readonly errorsHeld: { readonly instancePath: string }[];
}

export function isTooManyErrors(thrown: unknown): thrown is TooManyErrors {
  return typeof thrown === 'object' && thrown !== null && 'errorsHeld' in thrown;
}

const IS_TOO_MANY = [
  `held.length>=${ERRORS_HELD_MAX}`,
  `held.length*(held[held.length-1]?.instancePath.length??0)>=${PATHS_HELD_MAX}`,
];
/** Put before the generated code of each function. */
const GIVING_UP = `const giveUp=(held)=>{if(${IS_TOO_MANY.join('||')})throw {errorsHeld:held};};`;
const GIVE_UP = 'giveUp(vErrors);';
/** String literals are matched too, so that texts of a schema are never taken for code. */
const GROWTH =
  /"(?:[^"\\]|\\.)*"|vErrors\.push\(|errors = vErrors\.length;|\bprops\d+ = (?:props\d+ \|\| )?\{\}/g;

/** For ajv's `code.process`: makes generated code safe for any property name, and puts the limit wherever generated code makes its list of errors longer. */
export function limitErrors(code: string): string {
  const limited = code.replace(GROWTH, (match) => {
    if (match.startsWith('"')) return match;
    // The evaluated names. A plain object would always hold `toString` and the like.
    if (match.startsWith('props')) return match.replace('{}', '{__proto__:null}');
    return match.startsWith('errors') ? match + GIVE_UP : GIVE_UP + match;
  });
  return GIVING_UP + limited;
}
