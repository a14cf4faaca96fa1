import type { Place } from '../../files/read/problems.ts';

interface Candidate {
  readonly form: 'promptfoo' | 'inspect';
  /** What distinguishes it from others. */
  readonly id: string;
  readonly name: string;
}

interface PlacedCandidate extends Candidate {
  readonly place: Place;
}

/** What all files of one run hold: nothing in them counts twice, and all results of a form are of one candidate. */
export class Evidence {
  readonly #places = new Map<string, Place>();
  readonly #candidates = new Map<string, PlacedCandidate>();

  /** Where the same is already. */
  find(...id: readonly unknown[]): Place | undefined {
    return this.#places.get(JSON.stringify(id));
  }

  /** Where the same is already; else it is here. */
  add(place: Place, ...id: readonly unknown[]): Place | undefined {
    const known = this.find(...id);
    if (known === undefined) this.#places.set(JSON.stringify(id), place);
    return known;
  }

  /** The candidate of results that were read before, where it is another one. */
  otherCandidate(place: Place, candidate: Candidate): PlacedCandidate | undefined {
    const known = this.#candidates.get(candidate.form);
    if (known === undefined) this.#candidates.set(candidate.form, { ...candidate, place });
    return known?.id === candidate.id ? undefined : known;
  }
}

export const shownPlace = ({ file, line }: Place): string => `${file}:${line}`;
