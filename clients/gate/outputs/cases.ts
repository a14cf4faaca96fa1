import type { CasesInputsAnswer, Evalgate } from '../../sdk/index.ts';

/** What a case gives a program that answers it: never what is expected. */
export type CaseInput = CasesInputsAnswer['data'][number];

/** The inputs of every active case of a suite, in their order, by as many pages as there are. */
export async function caseInputs(
  client: Evalgate,
  suiteId: string,
  signal: AbortSignal | undefined,
): Promise<CaseInput[]> {
  const inputs: CaseInput[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await client.cases.inputs(suiteId, { cursor }, { signal });
    inputs.push(...data);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return inputs;
}
