/** promptfoo's types of assertions, those that a cell of a CSV file can begin with. */
export const TYPES = [
  ...['agent-rubric', 'answer-relevance', 'bleu', 'classifier', 'contains-all', 'contains-any'],
  ...['contains-html', 'contains-json', 'contains-sql', 'contains-xml', 'contains', 'context-faithfulness'],
  ...['context-recall', 'context-relevance', 'conversation-relevance', 'cost', 'ends-with', 'equals'],
  ...['factuality', 'finish-reason', 'g-eval', 'gleu', 'guardrails', 'icontains-all', 'icontains-any'],
  ...['icontains', 'is-html', 'is-json', 'is-refusal', 'is-sql', 'is-valid-function-call'],
  ...['is-valid-openai-function-call', 'is-valid-openai-tools-call', 'is-xml', 'javascript', 'latency'],
  ...['levenshtein', 'llm-rubric', 'meteor', 'model-graded-closedqa', 'model-graded-factuality'],
  ...['moderation', 'perplexity-score', 'perplexity', 'pi', 'python', 'regex', 'rouge-n', 'ruby'],
  ...['search-rubric', 'similar', 'skill-used', 'starts-with', 'tool-call-f1', 'webhook', 'word-count'],
];

const KNOWN = new Set([...TYPES, 'max-score', 'rouge-l', 'rouge-s', 'select-best']);
const FAMILY = /^(?:promptfoo:|similar:|trace-|trajectory:)/;

/** Whether a text is the type of an assertion and of little else. */
export function isAssertionType(text: string): boolean {
  const base = text.startsWith('not-') ? text.slice('not-'.length) : text;
  return KNOWN.has(base) || FAMILY.test(base);
}
