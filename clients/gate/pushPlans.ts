import { putInForce } from '../files/push/putInForce.ts';
import type { DefinitionsPutAnswer, DefinitionsPutBody } from '../sdk/index.ts';
import { madeBy, type Plan } from './report/plan.ts';

interface Pushed<P extends Plan> {
  readonly plan: P;
  /** Undefined where the suite was changed since its plan was shown: it was not pushed. */
  readonly answer: DefinitionsPutAnswer | undefined;
}

type Options = Partial<Omit<DefinitionsPutBody, 'definition'>>;

/** Pushes suites one after another, each as its plan was shown. */
export async function* pushPlans<P extends Plan>(
  plans: readonly P[],
  put: (plan: P, options: Options) => Promise<DefinitionsPutAnswer>,
): AsyncGenerator<Pushed<P>> {
  let isFresh = true;
  for (const plan of plans) {
    const { answer: shown } = plan;
    const answer = await putInForce({ shown, isFresh, put: (options) => put(plan, options) });
    yield { plan, answer };
    if (madeBy(plan).length > 0) isFresh = false;
  }
}
