import type { Fault } from '../../../contracts/gates.ts';
import type { ScoredCase } from '../ports.ts';
import type { StoredResult } from './storedResult.ts';

type State = Pick<ScoredCase, 'passed' | 'errored' | 'missing' | 'advisory' | 'fault'>;

/** An errored case of which nothing else is known. */
const BY_NOBODY = 'e';
const LETTERS = { candidate: 'c', bar: 'b', service: 's' } as const satisfies Record<Fault, string>;
const ERRORED_BY = new Map<string, Fault | undefined>([
  ...Object.entries(LETTERS).map(([fault, letter]) => [letter, fault as Fault] as const),
  [BY_NOBODY, undefined],
]);

/** A letter: passed, failed, missing, or errored by whose doing; upper case for an advisory case. */
export function stateOf({ passed, errored, fault, missing, advisory }: State): string {
  const erroredBy = fault === undefined ? BY_NOBODY : LETTERS[fault];
  const state = missing ? 'm' : errored ? erroredBy : passed ? 'p' : 'f';
  return advisory ? state.toUpperCase() : state;
}

export const isPass = (letter: string): boolean => letter.toLowerCase() === 'p';

export function stateFields(letter: string): State {
  const state = letter.toLowerCase();
  const fault = ERRORED_BY.get(state);
  return {
    passed: isPass(letter),
    errored: ERRORED_BY.has(state),
    missing: state === 'm',
    advisory: letter !== state,
    ...(fault && { fault }),
  };
}

type Blamable = Pick<StoredResult, 'state' | 'samples'>;

/** The same, where what was the service's doing is the candidate's. */
export function blamedResult<T extends Blamable>(stored: T): T {
  const { service, candidate } = LETTERS;
  const letters = new Map([
    [service, candidate],
    [service.toUpperCase(), candidate.toUpperCase()],
  ]);
  const state = letters.get(stored.state) ?? stored.state;
  const samples = stored.samples?.map((sample) =>
    sample.fault === 'service' ? { ...sample, fault: 'candidate' as const } : sample,
  );
  const isSame = state === stored.state && !stored.samples?.some(({ fault }) => fault === 'service');
  return isSame ? stored : { ...stored, state, ...(samples && { samples }) };
}
