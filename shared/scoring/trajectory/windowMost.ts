/** The most of a value over a window of places that only moves on; of equal ones, the last. Each place is looked at once. */
export class WindowMost {
  readonly #worth: (place: number) => number;
  /** The places of the window that may still be the most, with falling values. */
  readonly #places: Int32Array;
  readonly #values: Int32Array;
  #first = 0;
  #count = 0;
  /** Places from here on are in the window. */
  #from = 0;
  #to = 0;

  constructor(placesMax: number, worth: (place: number) => number) {
    this.#worth = worth;
    this.#places = new Int32Array(placesMax);
    this.#values = new Int32Array(placesMax);
  }

  /** -1 where the window is empty. */
  get place(): number {
    return this.#first === this.#count ? -1 : (this.#places[this.#first] ?? -1);
  }

  get value(): number {
    return this.#values[this.#first] ?? 0;
  }

  /** The last place that was dropped; -1 for none. */
  get passed(): number {
    return this.#from - 1;
  }

  /** Places are added in their order. */
  add(place: number): void {
    const value = this.#worth(place);
    while (this.#count > this.#first && (this.#values[this.#count - 1] ?? 0) <= value) this.#count--;
    this.#places[this.#count] = place;
    this.#values[this.#count] = value;
    this.#count++;
    this.#to = place + 1;
  }

  /** What leaves this window may enter another one. */
  dropWhile(isPast: (place: number) => boolean, other?: WindowMost): void {
    while (this.#from < this.#to && isPast(this.#from)) {
      if (this.place === this.#from) this.#first++;
      other?.add(this.#from);
      this.#from++;
    }
  }
}
