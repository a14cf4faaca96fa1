import type { ShownPrompt } from '../domain/runs/results/shownBar.ts';
import { type AnswerForm, NOTHING_EXPECTED, renderTexts } from './prompt.ts';
import { promptVersionOf } from './prompts/version.ts';

/** In place of the one that was drawn for the call. */
const DELIMITER = 'RANDOM-AND-NEW-IN-EACH-CALL';
const FORMS: readonly AnswerForm[] = ['by_schema', 'plain'];

/** Undefined for a prompt of another version: nothing says what it was. */
export const shownPrompt: ShownPrompt = ({ version, runInput, caseInput, expected, output, ...question }) => {
  const form = FORMS.find((one) => promptVersionOf(one) === version);
  if (form === undefined) return undefined;
  const texts = {
    run_input: runInput,
    case_input: caseInput,
    expected: expected ?? NOTHING_EXPECTED,
    output,
  };
  const { system, user } = renderTexts(question, texts, { delimiter: DELIMITER, form });
  return `${system}\n\n${user}`;
};
