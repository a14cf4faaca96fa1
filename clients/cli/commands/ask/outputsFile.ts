import { closeSync, ftruncateSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { megabytes, readBytes } from '../../../files/disk/readText.ts';
import { Problems, startOf } from '../../../files/read/problems.ts';
import { readOutputs } from '../../../importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../../sdk/index.ts';
import type { Io } from '../../io.ts';
import { FileProblem, Problem, systemReason } from '../../problem.ts';

/** As a run takes it. */
const FILE_MAX = megabytes(32);
const LINE_FEED = 0x0a;

export interface HowToWrite {
  readonly resume?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
}

/** A file of outputs to which each is added as it comes, so that nothing is lost. */
export class OutputsFile {
  readonly #file: string;
  readonly #name: string;
  #descriptor: number | undefined;
  #isToBeDropped = false;

  constructor({ cwd }: Pick<Io, 'cwd'>, name: string) {
    this.#file = path.resolve(cwd, name);
    this.#name = name;
  }

  /** What it has from before. */
  read(): readonly OutputItem[] {
    if (!this.#hasContent) return [];
    const read = readBytes(this.#file, FILE_MAX);
    const problems = new Problems();
    if ('why' in read) {
      problems.error(startOf(this.#name), `the file ${read.why}`);
      throw new FileProblem(problems);
    }
    // A line without an end was not written to its end.
    const bytes = read.bytes.subarray(0, read.bytes.lastIndexOf(LINE_FEED) + 1);
    if (bytes.length === 0) return [];
    const { items } = readOutputs(this.#name, { bytes }, problems);
    if (problems.hasErrors) throw new FileProblem(problems);
    return items;
  }

  /** With these outputs. One that is there is left alone unless `how` says what becomes of it. */
  open({ resume, overwrite }: HowToWrite, kept: readonly OutputItem[]): void {
    this.#attempt(() => {
      if (this.#hasContent && !resume && !overwrite) {
        const hint = '--resume goes on with it, --overwrite begins anew, and --out names another file.';
        throw new Problem(`${this.#name} exists already, and the command was not run.`, hint);
      }
      if (resume && this.#hasContent) {
        // Nothing is lost where the command ends in between.
        const beside = `${this.#file}.${process.pid}.tmp`;
        writeFileSync(beside, kept.map(lineOf).join(''));
        renameSync(beside, this.#file);
      }
      this.#descriptor = openSync(this.#file, 'a');
      this.#isToBeDropped = overwrite === true;
    });
  }

  add(item: OutputItem): void {
    const descriptor = this.#descriptor ?? -1;
    this.#attempt(() => {
      // Not before: the command may be one that can't be started.
      if (this.#isToBeDropped) ftruncateSync(descriptor, 0);
      this.#isToBeDropped = false;
      // All of it, or an error: what is written on a disk that fills up is cut off at the end at most.
      writeFileSync(descriptor, lineOf(item));
    });
  }

  get #hasContent(): boolean {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    return stats !== undefined && !(stats.isFile() && stats.size === 0);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #attempt(act: () => unknown): void {
    try {
      act();
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem(`${this.#name} can't be written: ${systemReason(error)}.`);
    }
  }
}

const lineOf = (item: OutputItem): string => `${JSON.stringify(item)}\n`;
