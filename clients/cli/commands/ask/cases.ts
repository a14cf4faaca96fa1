import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { connect, type Handler } from '../../context.ts';
import { casesOf } from '../../output/mismatched.ts';

/** What a program is asked that answers the suite, one case a line. */
export const cases: Handler = async (context, [suite = '']) => {
  const { terminal, globals } = context;
  const inputs = await casesOf(context, connect(context), suite);
  if (globals.json) terminal.data(`${safeJson(inputs, 2)}\n`);
  else for (const one of inputs) terminal.data(`${safeJson(one)}\n`);
  if (inputs.length === 0) terminal.say('The suite has no active case.');
  return EXIT.done;
};
