import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { canonicalJson } from '../../../shared/scoring/kit/json.ts';
import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { isSameJson } from '../../files/read/sameJson.ts';
import { type Entry, figures, said, textOf } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A result with the line where it stands. */
export interface Result {
  readonly line: number;
  readonly value: unknown;
}

/** A case of the suite. */
export interface CaseOfSuite {
  readonly case: string;
  readonly input: unknown;
}

const of = (value: unknown): Fields => (isRecord(value) ? value : {});

/** Results of one provider and one prompt answer the cases whose input their variables are. */
export function entriesOfPromptfoo(
  file: string,
  results: readonly Result[],
  cases: readonly CaseOfSuite[],
  problems: Problems,
): { readonly line: number; readonly entry: Entry }[] {
  if (results.length > OUTPUTS_MAX) {
    problems.error(
      startOf(file),
      `has more than ${OUTPUTS_MAX} results: a run sends at most so many outputs`,
    );
    return [];
  }
  const answered = answeredIn(file, results, problems);
  if (problems.hasErrors || hasSeveralCandidates(file, answered, problems)) return [];
  const byInput = Map.groupBy(cases, ({ input }) => canonicalJson(input));
  const mismatched: number[] = [];
  const entries = answered.flatMap(({ line, vars, result }) => {
    const inputs = inputsOf(vars, result).map(canonicalJson);
    const answeredCases = byInput.get(inputs.find((input) => byInput.has(input)) ?? '') ?? [];
    if (answeredCases.length === 0) mismatched.push(line);
    return answeredCases.length === 0 ? [] : [{ line, entry: entryOf(result, answeredCases) }];
  });
  reportMismatchedOutputs(
    { ...startOf(file), line: mismatched[0] ?? 1 },
    mismatched.length,
    entries.length === 0,
    problems,
  );
  return entries;
}

/** What promptfoo and its providers add to the variables of a test. */
const ADDED: ReadonlySet<string> = new Set(['_conversation', 'sessionId']);

/** What a result may answer: its variables, those of its test, and its own without what was added to them. */
function inputsOf(vars: Fields, result: Fields): readonly Fields[] {
  const test = of(result.testCase).vars;
  const isOfTest =
    isRecord(test) &&
    Object.entries(test).every(([name, value]) => Object.hasOwn(vars, name) && isSameJson(vars[name], value));
  const own = Object.fromEntries(Object.entries(vars).filter(([name]) => !ADDED.has(name)));
  return [vars, ...(isOfTest ? [test] : []), own];
}

interface Answered {
  readonly line: number;
  readonly vars: Fields;
  readonly result: Fields;
}

const NO_RESULT = 'is no result of promptfoo, which has vars: is the file whole, and all of it of promptfoo?';

function answeredIn(file: string, results: readonly Result[], problems: Problems): Answered[] {
  return results.flatMap(({ line, value }) => {
    const result = of(value);
    const vars = result.vars ?? of(result.testCase).vars;
    if (isRecord(vars)) return [{ line, vars, result }];
    problems.error({ ...startOf(file), line }, NO_RESULT);
    return [];
  });
}

function hasSeveralCandidates(file: string, answered: readonly Answered[], problems: Problems): boolean {
  const candidates = new Map(answered.map(({ result }) => candidateOf(result)));
  if (candidates.size < 2) return false;
  const names = [...candidates.values()].slice(0, 3).join(', ').slice(0, 200);
  const message = `has results of ${candidates.size} providers or prompts (${names}): a run judges one, so filter them, such as by ${filterOf(file)}`;
  problems.error(startOf(file), message);
  return true;
}

/** promptfoo numbers its pairs of a provider and a prompt. */
const filterOf = (file: string): string =>
  file.endsWith('.jsonl')
    ? "jq -c 'select(.promptIdx == 0)'"
    : "jq '.results.results |= map(select(.promptIdx == 0))'";

/** What a provider says beside its error is no answer there either; an error of an assertion says nothing of the output. */
function entryOf({ response, error, latencyMs, cost }: Fields, cases: readonly CaseOfSuite[]): Entry {
  const { output, error: failure, tokenUsage, cost: costThere } = of(response);
  const { prompt: input_tokens, completion: output_tokens } = of(tokenUsage);
  const amounts = { latency_ms: latencyMs, cost_usd: cost ?? costThere, input_tokens, output_tokens };
  const answer = textOf(failure) === '' ? output : undefined;
  return { case: cases.map(({ case: key }) => key), ...said(answer, failure || error), ...figures(amounts) };
}

/** All by which it differs from others, and its name: two prompts may begin alike, and two providers have one id. */
function candidateOf({ provider, prompt, promptIdx }: Fields): [string, string] {
  const { id, label } = of(provider);
  const name = String(label || id || (typeof provider === 'string' ? provider : '?'));
  const asked = String(of(prompt).label ?? `prompt ${String(promptIdx ?? 0)}`);
  return [JSON.stringify([name, id, asked, promptIdx]), `${name} with ${asked.slice(0, 60)}`];
}

function reportMismatchedOutputs(place: Place, count: number, isAll: boolean, problems: Problems): void {
  if (count === 0) return;
  const what = `${count} of promptfoo's results ${count === 1 ? 'has' : 'have'} variables that are no case's input`;
  if (isAll)
    problems.error(
      place,
      `${what}: name the field that has the key by --map (input outputs-map) 'case=$.…,output=$.…'`,
    );
  else problems.warn(place, `${what}, and ${count === 1 ? 'is' : 'are'} left out`);
}
