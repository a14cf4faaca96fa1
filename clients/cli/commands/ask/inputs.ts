import type { CasesInputsAnswer, Evalgate } from '../../../sdk/index.ts';

export type CaseInput = CasesInputsAnswer['data'][number];

/** Of every active case of a suite, in their order. */
export async function inputsOf(gate: Evalgate, suiteId: string, signal: AbortSignal): Promise<CaseInput[]> {
  const all: CaseInput[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await gate.cases.inputs(suiteId, { cursor }, { signal });
    all.push(...data);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
