import { problemLine } from '../../../files/read/problems.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { terminalLine } from '../../../gate/report/escape.ts';
import type { Context } from '../../context.ts';
import { explain } from '../../output/explain.ts';
import { FileProblem } from '../../problem.ts';

/** `lost`: something beyond this machine did not answer, or failed. */
type Status = 'ok' | 'note' | 'change' | 'lost';

interface Observation {
  readonly status?: Status;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string | undefined;
}

export interface Finding extends Observation {
  readonly check: string;
  readonly status: Status;
}

/** What was checked so far. A check that fails is a finding, and nothing of it ends the others. */
export class Checks {
  readonly findings: Finding[] = [];
  readonly #context: Context;
  readonly #onFinding: (finding: Finding) => void;

  constructor(context: Context, onFinding: (finding: Finding) => void) {
    this.#context = context;
    this.#onFinding = onFinding;
  }

  add(check: string, { status = 'ok', message, hint }: Observation): void {
    const finding = { check, status, message, ...(hint !== undefined && { hint }) };
    this.findings.push(finding);
    this.#onFinding(finding);
  }

  /** What `act` returns, which `describe` puts into words. Undefined where it fails. */
  async run<T>(
    check: string,
    act: () => T | Promise<T>,
    describe: (value: T) => Observation,
  ): Promise<T | undefined> {
    try {
      const value = await act();
      this.add(check, describe(value));
      return value;
    } catch (error) {
      if (this.#context.io.signal.aborted) throw error;
      this.add(check, this.#failed(error));
      return undefined;
    }
  }

  #failed(error: unknown): Observation {
    const { message, hint, exitCode } = explain(error, this.#context.facts);
    const places = error instanceof FileProblem ? error.problems.sorted().map(problemLine) : [message];
    return {
      status: exitCode === EXIT.callerMustChange ? 'change' : 'lost',
      message: places.map((line) => terminalLine(line)).join('; '),
      hint,
    };
  }

  get exitCode(): number {
    const has = (requested: Status): boolean => this.findings.some(({ status }) => status === requested);
    if (has('change')) return EXIT.callerMustChange;
    return has('lost') ? EXIT.noVerdict : EXIT.done;
  }
}
