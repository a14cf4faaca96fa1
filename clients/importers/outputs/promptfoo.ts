import { hash } from 'node:crypto';
import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { canonicalJson } from '../../../shared/scoring/kit/json.ts';
import { isRecord } from '../../files/read/parts.ts';
import { type Place, type Problems, startOf } from '../../files/read/problems.ts';
import { isSameJson } from '../../files/read/sameJson.ts';
import { answerFields, type Entry, figures, textOf } from './entry.ts';
import { type Evidence, shownPlace } from './evidence.ts';

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

const asFields = (value: unknown): Fields => (isRecord(value) ? value : {});

interface Reading {
  readonly cases: readonly CaseOfSuite[];
  readonly evidence: Evidence;
}

/** Results of one provider and one prompt answer the cases whose input their variables are. */
export function entriesOfPromptfoo(
  file: string,
  results: readonly Result[],
  { cases, evidence }: Reading,
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
  reportRepeated(file, answered, evidence, problems);
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
  const test = asFields(result.testCase).vars;
  const isOfTest =
    isRecord(test) &&
    Object.entries(test).every(([name, value]) => Object.hasOwn(vars, name) && isSameJson(vars[name], value));
  const ownVars = Object.fromEntries(Object.entries(vars).filter(([name]) => !ADDED.has(name)));
  return [vars, ...(isOfTest ? [test] : []), ownVars];
}

interface Answered {
  readonly line: number;
  readonly vars: Fields;
  readonly result: Fields;
}

const NO_RESULT = 'is no result of promptfoo, which has vars: is the file whole, and all of it of promptfoo?';

function answeredIn(file: string, results: readonly Result[], problems: Problems): Answered[] {
  return results.flatMap(({ line, value }) => {
    const result = asFields(value);
    const vars = result.vars ?? asFields(result.testCase).vars;
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

/** In a file before, or in this one. */
function reportRepeated(
  file: string,
  answered: readonly Answered[],
  evidence: Evidence,
  problems: Problems,
): void {
  const [first] = answered;
  if (first === undefined) return;
  const [id, name] = candidateOf(first.result);
  const place = { ...startOf(file), line: first.line };
  const other = evidence.otherCandidate(place, { form: 'promptfoo', id, name });
  if (other !== undefined) {
    const message = `has results of ${name}, and ${shownPlace(other.place)} of ${other.name}: a run judges one provider and prompt`;
    problems.error(place, message.slice(0, 500));
  }
  for (const { line, result } of answered) {
    const place = { ...startOf(file), line };
    const known = evidence.add(place, 'promptfoo', result.id ?? hash('sha256', canonicalJson(result)));
    if (known !== undefined)
      problems.error(place, `has a result again, after ${shownPlace(known)}: leave one out`);
  }
}

/** An error of an assertion is about the output; any other one leaves none, whatever text is beside it. */
function entryOf(result: Fields, cases: readonly CaseOfSuite[]): Entry {
  const { response, latencyMs, cost } = result;
  const { output, tokenUsage, cost: costThere } = asFields(response);
  const { prompt: input_tokens, completion: output_tokens } = asFields(tokenUsage);
  const amounts = { latency_ms: latencyMs, cost_usd: cost ?? costThere, input_tokens, output_tokens };
  const why = whyNoAnswer(result);
  return {
    case: cases.map(({ case: key }) => key),
    ...answerFields(why === undefined ? output : undefined, why ?? result.error),
    ...figures(amounts),
  };
}

/** `failureReason`: 0 for none that is known, 1 for an assertion, 2 for anything else. Older results have none. */
const ASSERTION = 1;
/** Reasons of providers to end an answer that is complete, in lower case. */
const ENDS = ['stop', 'stop_sequence', 'end_turn', 'eos', 'eos_token', 'complete', 'completed'];
const CALLS = ['tool_calls', 'tool_use', 'function_call'];

function whyNoAnswer({ response, error, failureReason = 0, gradingResult }: Fields): string | undefined {
  const { output, error: failure, finishReason, isRefusal, guardrails } = asFields(response);
  if (textOf(failure) !== '') return textOf(failure);
  const isOfAssertion =
    failureReason === ASSERTION || (failureReason === 0 && error === asFields(gradingResult).reason);
  if (!isOfAssertion && textOf(error) !== '') return textOf(error);
  if (failureReason !== 0 && failureReason !== ASSERTION)
    return `failureReason: ${textOf(failureReason) || 'null'}`;
  const finish = textOf(finishReason);
  if (finish !== '' && ![...ENDS, ...CALLS].includes(finish.toLowerCase())) return `finishReason: ${finish}`;
  if (output !== '') return undefined;
  if (isRefusal === true) return 'isRefusal, and no output';
  return isFlagged(asFields(guardrails)) ? `guardrails: ${textOf(guardrails)}` : undefined;
}

const isFlagged = (guardrails: Fields): boolean => Object.values(guardrails).includes(true);

/** All by which it differs from others, and its name: two prompts may begin alike, and two providers have one id. */
function candidateOf({ provider, prompt, promptIdx }: Fields): [string, string] {
  const { id, label } = asFields(provider);
  const name = String(label || id || (typeof provider === 'string' ? provider : '?'));
  const promptLabel = String(asFields(prompt).label ?? `prompt ${String(promptIdx ?? 0)}`);
  return [JSON.stringify([name, id, promptLabel, promptIdx]), `${name} with ${promptLabel.slice(0, 60)}`];
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
