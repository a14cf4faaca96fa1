import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { connect, type Handler } from '../context.ts';
import { nameOf } from '../input/options.ts';
import { Problem, systemReason } from '../problem.ts';

/** Prints the signed statement of a cleared run, or writes it into a file. */
export const statement: Handler<{ readonly out?: string }> = async (context, [run = ''], { out }) => {
  const { io, terminal } = context;
  const runId = nameOf('id of a run', run);
  const text = `${safeJson(await connect(context).gate.runs.statement(runId, { signal: io.signal }))}\n`;
  if (out === undefined) {
    terminal.data(text);
    return EXIT.done;
  }
  try {
    writeFileSync(path.resolve(io.cwd, out), text);
  } catch (error) {
    throw new Problem(`${out} cannot be written: ${systemReason(error)}.`);
  }
  terminal.say(`wrote ${out}. What it proves: evalgate verify ${out} --help`);
  return EXIT.done;
};
