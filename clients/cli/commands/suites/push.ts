import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { pushPlans } from '../../../gate/pushPlans.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { counted } from '../../../gate/report/numbers.ts';
import { madeBy, weakerIn } from '../../../gate/report/plan.ts';
import { planText } from '../../../gate/report/planText.ts';
import type { DefinitionsPutAnswer } from '../../../sdk/index.ts';
import { isInCi } from '../../ci.ts';
import type { Context, Handler } from '../../context.ts';
import { askWhether } from '../../output/ask.ts';
import { Problem } from '../../problem.ts';
import { type Planned, planAll } from './plans.ts';

export interface PushOptions {
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly allowWeaker?: boolean;
  readonly createProject?: boolean;
}

type OnePlan = Planned['plans'][number];

/** Puts suites in files in force, once their plan was shown and accepted. */
export const push: Handler<PushOptions> = async (
  context,
  files,
  { prune = false, yes = false, allowWeaker = false, createProject = false },
) => {
  const { terminal, globals, io } = context;
  const planned = await planAll(context, files, { prune, scope: 'suites', makeProject: createProject });
  const changing = planned.plans.filter((plan) => madeBy(plan).length > 0);
  const shown = planned.plans.filter((plan) => changing.includes(plan) || plan.answer.warnings.length > 0);
  for (const plan of shown) terminal.note(planText(plan, { hidesValues: false }).trimEnd());
  const accepted = changing.length === 0 || (await isAccepted(context, changing, { yes, allowWeaker }));
  // A job that pushes what is there already is the newest one all the same.
  const answers = accepted
    ? await pushAll(context, planned, isInCi(io) ? planned.plans : changing)
    : new Map<string, DefinitionsPutAnswer>();
  if (globals.json) {
    const answered = planned.plans.map(({ suite, answer }) => ({ suite, ...(answers.get(suite) ?? answer) }));
    terminal.data(`${safeJson(answered, 2)}\n`);
  }
  if (!accepted) throw new Problem('Nothing was pushed.', 'The plan was not accepted.');
  if (changing.length === 0) terminal.say('nothing to change');
  return EXIT.done;
};

async function isAccepted(
  { io, terminal }: Context,
  plans: readonly OnePlan[],
  { yes, allowWeaker }: { readonly yes: boolean; readonly allowWeaker: boolean },
): Promise<boolean> {
  const weaker = plans.reduce((sum, plan) => sum + weakerIn(plan).length, 0);
  const toLookAt = plans.reduce((sum, { answer }) => sum + answer.weaker.length, 0);
  const mayAsk = terminal.canAsk && !yes;
  if (toLookAt > 0 && !allowWeaker && !mayAsk) {
    throw new Problem(
      weaker > 0
        ? `The bar gets or may get weaker in ${counted(weaker, 'way')}, and nothing was pushed.`
        : `Another answer is expected in ${counted(toLookAt, 'case')}, and nothing was pushed.`,
      'If that is intended: evalgate push --allow-weaker',
    );
  }
  if (!mayAsk) return true;
  const question = weaker > 0 ? `Push it, with a bar that gets or may get weaker?` : 'Push it?';
  return askWhether(io, question);
}

/** Suites one after another, each as its plan was shown. */
async function pushAll(
  context: Context,
  planned: Planned,
  plans: readonly OnePlan[],
): Promise<Map<string, DefinitionsPutAnswer>> {
  const { io, terminal } = context;
  const { gate, project } = planned;
  const answers = new Map<string, DefinitionsPutAnswer>();
  const pushing = pushPlans(plans, ({ suite, body }, options) =>
    gate.definitions.put(project, suite, { ...body, ...options }, { signal: io.signal }),
  );
  try {
    for await (const { plan, answer } of pushing) {
      if (answer === undefined) throw changedMeanwhile(plan.suite);
      answers.set(plan.suite, answer);
      if (madeBy(plan).length > 0)
        terminal.say(`pushed ${plan.suite}: definition version ${answer.definition_version}`);
    }
    return answers;
  } catch (error) {
    if (answers.size > 0) {
      const left = plans.length - answers.size;
      terminal.warn(`${counted(answers.size, 'suite')} of ${plans.length} pushed, ${left} left as before`);
    }
    throw error;
  }
}

const changedMeanwhile = (suite: string): Problem =>
  new Problem(
    `The suite ${suite} was changed since its plan was shown, and was not pushed.`,
    'Look at the plan again: evalgate diff',
  );
