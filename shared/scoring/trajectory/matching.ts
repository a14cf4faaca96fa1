/** Which places a call may fill, by their numbers, and which it fills; -1 for none. */
export interface Pairing {
  readonly fits: readonly (readonly number[])[];
  readonly placeOf: Int32Array;
  /** The calls in each place. */
  readonly callsIn: readonly number[][];
}

export function openPairing(fits: readonly (readonly number[])[], placeCount: number): Pairing {
  return {
    fits,
    placeOf: new Int32Array(fits.length).fill(-1),
    callsIn: Array.from({ length: placeCount }, () => []),
  };
}

interface Rule {
  /** How many calls each place takes. */
  readonly room: readonly number[];
  /** Whether the call may be put out of its place again for one that needs it. */
  readonly mayLeave: (call: number) => boolean;
}

/**
 * Gives as many of the calls a place as can have one, by the algorithm of Hopcroft and Karp. A call that has a place keeps
 * one, but for those that may leave; a place never holds fewer calls than before.
 */
export function pairMost(pairing: Pairing, calls: readonly number[], rule: Rule): void {
  let waiting = calls.filter((call) => pairing.placeOf[call] === -1 && !takesFreePlace(pairing, call, rule));
  if (waiting.length === 0) return;
  const search = new Search(pairing, rule);
  while (waiting.length > 0 && search.measure(waiting)) {
    const left = waiting.filter((call) => !search.settle(call));
    if (left.length === waiting.length) return;
    waiting = left;
  }
}

/** Most calls find a free place, and nothing has to be searched. */
function takesFreePlace({ fits, placeOf, callsIn }: Pairing, call: number, { room }: Rule): boolean {
  for (const place of fits[call] ?? []) {
    const there = callsIn[place];
    if (there === undefined || there.length >= (room[place] ?? 0)) continue;
    there.push(call);
    placeOf[call] = place;
    return true;
  }
  return false;
}

class Search {
  readonly #pairing: Pairing;
  readonly #rule: Rule;
  /** How many places lie between a call that waits and this call, and this place. */
  readonly #callAt: Int32Array;
  readonly #placeAt: Int32Array;
  readonly #nextOf: Int32Array;

  constructor(pairing: Pairing, rule: Rule) {
    this.#pairing = pairing;
    this.#rule = rule;
    this.#callAt = new Int32Array(pairing.fits.length);
    this.#nextOf = new Int32Array(pairing.fits.length);
    this.#placeAt = new Int32Array(pairing.callsIn.length);
  }

  /** Whether some waiting call can have a place, at the distance of the nearest one. */
  measure(waiting: readonly number[]): boolean {
    const { fits } = this.#pairing;
    this.#callAt.fill(-1);
    this.#placeAt.fill(-1);
    this.#nextOf.fill(0);
    let calls = waiting;
    for (const call of calls) this.#callAt[call] = 0;
    for (let distance = 0; calls.length > 0; distance++) {
      const next: number[] = [];
      let isFound = false;
      for (const place of calls.flatMap((call) => fits[call] ?? [])) {
        if (this.#placeAt[place] !== -1) continue;
        this.#placeAt[place] = distance;
        isFound ||= this.#leaving(place) !== undefined;
        next.push(...this.#reached(place, distance + 1));
      }
      if (isFound) return true;
      calls = next;
    }
    return false;
  }

  /** The calls of a place that were not reached before. */
  #reached(place: number, distance: number): number[] {
    const calls = (this.#pairing.callsIn[place] ?? []).filter((call) => this.#callAt[call] === -1);
    for (const call of calls) this.#callAt[call] = distance;
    return calls;
  }

  /** What makes room in a place: -1 where there is room, else a call that may leave. */
  #leaving(place: number): number | undefined {
    const there = this.#pairing.callsIn[place] ?? [];
    if (there.length < (this.#rule.room[place] ?? 0)) return -1;
    return there.find(this.#rule.mayLeave);
  }

  /** Each place is tried once a call, and only over the shortest ways. */
  settle(call: number): boolean {
    const { fits, callsIn } = this.#pairing;
    const fittingPlaces = fits[call] ?? [];
    for (let index = this.#nextOf[call] ?? 0; index < fittingPlaces.length; index++) {
      this.#nextOf[call] = index + 1;
      const place = fittingPlaces[index] ?? -1;
      if (this.#placeAt[place] !== this.#callAt[call]) continue;
      const leaving = this.#leaving(place);
      if (leaving !== undefined) {
        this.#move(call, place, leaving);
        return true;
      }
      const there = callsIn[place] ?? [];
      const other = there.find(
        (one) => this.#callAt[one] === (this.#callAt[call] ?? 0) + 1 && this.settle(one),
      );
      if (other === undefined) continue;
      this.#move(call, place, -1);
      return true;
    }
    return false;
  }

  #move(call: number, place: number, leaving: number): void {
    const { placeOf, callsIn } = this.#pairing;
    if (leaving !== -1) this.#takeOut(leaving);
    this.#takeOut(call);
    placeOf[call] = place;
    callsIn[place]?.push(call);
  }

  #takeOut(call: number): void {
    const { placeOf, callsIn } = this.#pairing;
    const there = callsIn[placeOf[call] ?? -1];
    if (there !== undefined) there.splice(there.indexOf(call), 1);
    placeOf[call] = -1;
  }
}
