/** Where in a file something stands. Lines and columns count from 1. */
export interface Place {
  /** From the folder of evalgate.yaml, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Problem extends Place {
  readonly severity: 'error' | 'warning';
  /** What is wrong, and what to do about it. */
  readonly message: string;
}

/** A file can hold more mistakes than anybody reads. */
const KEPT_MAX = 1_000;

/** Everything that is wrong with what was read, as far as it is worth keeping. */
export class Problems {
  readonly #kept: Problem[] = [];
  #errors = 0;
  #left = 0;

  error(place: Place, message: string): void {
    this.#errors++;
    this.#add({ ...place, severity: 'error', message });
  }

  warn(place: Place, message: string): void {
    this.#add({ ...place, severity: 'warning', message });
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  get errorCount(): number {
    return this.#errors;
  }

  /** How many there are beyond those that `sorted` answers. */
  get left(): number {
    return this.#left;
  }

  /** By file, line and column. */
  sorted(): Problem[] {
    return this.#kept.toSorted(
      (one, other) =>
        compareTexts(one.file, other.file) || one.line - other.line || one.column - other.column,
    );
  }

  #add(problem: Problem): void {
    if (this.#kept.length < KEPT_MAX) this.#kept.push(problem);
    else this.#left++;
  }
}

const compareTexts = (one: string, other: string): number => Number(one > other) - Number(one < other);

export const startOf = (file: string): Place => ({ file, line: 1, column: 1 });

/** As editors read it: `evals/returns.suite.yaml:3:1: error: …`. Names and messages may quote foreign text. */
export const problemLine = ({ file, line, column, severity, message }: Problem): string =>
  `${file}:${line}:${column}: ${severity}: ${message}`;
