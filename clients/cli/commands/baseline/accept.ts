import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { terminalLine } from '../../../gate/report/escape.ts';
import { acceptedWords } from '../../../gate/report/review/baseline.ts';
import { written } from '../../../gate/report/words.ts';
import type { Suite } from '../../../sdk/index.ts';
import { type Connected, type Context, connect, type Handler } from '../../context.ts';
import { nameOf } from '../../input/options.ts';
import { askWhich } from '../../output/ask.ts';
import { findSuite, findSuiteBySlug } from '../../output/findSuite.ts';
import { printOne } from '../../output/print.ts';

interface Options {
  readonly reason?: string;
  readonly gate?: GateName;
}

/** What a baseline can hold up. */
const GATES = {
  max_newly_failing: { gates: { max_newly_failing: 0 }, yaml: 'gates:\n  max_newly_failing: 0' },
  regression: { gates: { regression: {} }, yaml: 'gates:\n  regression: {}' },
  none: { gates: {}, yaml: '' },
} as const;
type GateName = keyof typeof GATES;
const QUESTION = 'No gate of the suite compares runs with a baseline. Which one is to?';

/** Makes runs the baseline of their suite, and sets a gate that compares with it. */
export const accept: Handler<Options> = async (context, [named = '', ...runs], { reason = null, gate }) => {
  const run_ids = runs.map((run) => nameOf('id of a run', run));
  const connected = connect(context, 'suites');
  const suite = await findSuite(connected, named);
  const requested = gate ?? (await askGate(context, suite));
  const accepted = await connected.gate.baselines.accept(suite.id, { run_ids, reason });
  const isSet = await setGate(context, connected, suite, requested);
  const shown = isSet ? await connected.gate.baselines.get(suite.id) : accepted;
  const lines = acceptedWords(shown).map((words) => written(words, terminalLine));
  printOne(context, shown, () => lines.join('\n'));
  return EXIT.done;
};

async function askGate({ io, terminal, globals }: Context, { gates }: Suite): Promise<GateName> {
  const compares = gates.max_newly_failing !== undefined || gates.regression !== undefined;
  if (compares || globals.json || !terminal.canAsk) return 'none';
  return (await askWhich(io, QUESTION, Object.keys(GATES))) as GateName;
}

/** Files that are pushed would take an edit back: they are edited by hand. */
async function setGate(
  { terminal }: Context,
  connected: Connected,
  suite: Suite,
  name: GateName,
): Promise<boolean> {
  const { gates, yaml } = GATES[name];
  if (Object.keys(gates).every((field) => Object.hasOwn(suite.gates, field))) return false;
  if (suite.last_push !== null) {
    terminal.note(`The suite is pushed from files. Add the gate to its file, then push it:\n\n${yaml}\n`);
    return false;
  }
  const { project } = await findSuiteBySlug(connected, suite.slug);
  await connected.gate.suites.update(project, suite.slug, {
    gates: { ...gates, ...suite.gates },
    expected_version: suite.version,
  });
  return true;
}
