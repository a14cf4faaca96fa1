import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { isRecord } from '../read/parts.ts';
import { type Place, type Problems, startOf } from '../read/problems.ts';
import { isSameJson } from '../read/sameJson.ts';
import { type Entry, figures, said } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A result with the line where it stands. */
export interface Result {
  readonly line: number;
  readonly value: unknown;
}

/** A case of the suite, as it is asked. */
export interface Asked {
  readonly case: string;
  readonly input: unknown;
}

const of = (value: unknown): Fields => (isRecord(value) ? value : {});

/** Results of one provider and one prompt answer the cases whose input their variables are. */
export function entriesOfPromptfoo(
  file: string,
  results: readonly Result[],
  asked: readonly Asked[],
  problems: Problems,
): { readonly line: number; readonly entry: Entry }[] {
  if (results.length > OUTPUTS_MAX) {
    problems.error(
      startOf(file),
      `has ${results.length} results: a run sends at most ${OUTPUTS_MAX} outputs`,
    );
    return [];
  }
  const candidates = new Set(results.map(({ value }) => candidateOf(of(value))));
  if (candidates.size > 1) {
    const names = [...candidates].slice(0, 3).join(', ').slice(0, 200);
    const message = `has results of ${candidates.size} providers or prompts (${names}): a run judges one, so filter it`;
    problems.error(startOf(file), message);
    return [];
  }
  const unfit: number[] = [];
  const entries = results.flatMap(({ line, value }) => {
    const { response, error, latencyMs, cost, ...result } = of(value);
    const vars = result.vars ?? of(result.testCase).vars ?? {};
    const keys = asked.filter(({ input }) => isSameJson(input, vars)).map(({ case: key }) => key);
    if (keys.length === 0) {
      unfit.push(line);
      return [];
    }
    const { output, error: failure, tokenUsage, cost: costThere } = of(response);
    const { prompt: input_tokens, completion: output_tokens } = of(tokenUsage);
    const amounts = { latency_ms: latencyMs, cost_usd: cost ?? costThere, input_tokens, output_tokens };
    return [{ line, entry: { case: keys, ...said(output, failure ?? error), ...figures(amounts) } }];
  });
  reportUnfit({ ...startOf(file), line: unfit[0] ?? 1 }, unfit.length, entries.length === 0, problems);
  return entries;
}

const candidateOf = ({ provider, prompt, promptIdx }: Fields): string => {
  const { id, label } = of(provider);
  const name = String(label || id || (typeof provider === 'string' ? provider : '?'));
  return `${name} with ${String(of(prompt).label ?? `prompt ${String(promptIdx ?? 0)}`).slice(0, 60)}`;
};

function reportUnfit(place: Place, count: number, isAll: boolean, problems: Problems): void {
  if (count === 0) return;
  const what = `${count} of promptfoo's results ${count === 1 ? 'has' : 'have'} variables that are no case's input`;
  if (isAll)
    problems.error(
      place,
      `${what}: name the field that has the key by --map (input outputs-map) 'case=$.…,output=$.…'`,
    );
  else problems.warn(place, `${what}, and ${count === 1 ? 'is' : 'are'} left out`);
}
