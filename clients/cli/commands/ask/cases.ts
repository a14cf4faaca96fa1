import { safeJson } from '../../../gate/report/escape.ts';
import { connect, type Handler } from '../../context.ts';
import { EXIT } from '../../exitCodes.ts';
import { findSuite } from '../../output/findSuite.ts';
import { inputsOf } from './inputs.ts';

/** What a program is asked that answers the suite, one case a line. */
export const cases: Handler = async (context, [suite = '']) => {
  const { io, terminal, globals } = context;
  const connected = connect(context);
  const { id } = await findSuite(connected, suite);
  const found = await inputsOf(connected.gate, id, io.signal);
  if (globals.json) terminal.data(`${safeJson(found, 2)}\n`);
  else for (const one of found) terminal.data(`${safeJson(one)}\n`);
  if (found.length === 0) terminal.say('The suite has no active case.');
  return EXIT.done;
};
