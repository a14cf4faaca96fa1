import { allAsked } from '../../../importers/outputs/asked.ts';
import type { CasesInputsAnswer, Evalgate } from '../../../sdk/index.ts';

export type CaseInput = CasesInputsAnswer['data'][number];

/** Of every active case of a suite, in their order. */
export const inputsOf = (gate: Evalgate, suiteId: string, signal: AbortSignal): Promise<CaseInput[]> =>
  allAsked((query) => gate.cases.inputs(suiteId, query, { signal }));
