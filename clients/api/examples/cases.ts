import { type Example, IDS, OF_SUITE, PROJECT, SUITE } from './example.ts';

export const SCORERS: readonly Example[] = [
  {
    id: 'scorers/create',
    name: 'contains',
    title: 'A scorer that looks for a text',
    params: PROJECT,
    body: { name: 'Says 30 days', type: 'contains', config: { values: ['30 days'] } },
    status: 201,
    makes: 'scorer',
  },
  {
    id: 'scorers/create',
    name: 'llm-judge',
    title: 'A judge, which calls a model with your own key',
    params: PROJECT,
    body: {
      name: 'Is polite',
      type: 'llm_judge',
      config: {
        _provider: 'openai',
        model: 'gpt-5.4-mini',
        rubric: 'The answer is polite and to the point.',
      },
    },
    status: 201,
    makes: 'judge',
  },
  { id: 'scorers/list', name: 'all', title: 'Of a project', params: PROJECT, status: 200 },
  { id: 'scorers/get', name: 'one', title: 'By its id', params: { scorerId: IDS.scorer }, status: 200 },
  {
    id: 'scorers/update',
    name: 'config',
    title: 'Another text to look for',
    params: { scorerId: IDS.scorer },
    body: { config: { values: ['30 days', 'thirty days'], mode: 'any' } },
    status: 200,
  },
];

export const CASES: readonly Example[] = [
  {
    id: 'cases/create',
    name: 'return-window',
    title: 'A case with a key, by which outputs name it',
    params: OF_SUITE,
    body: {
      key: 'return-window',
      name: 'Return window',
      input: { question: 'How long can I return it?' },
      scorer_id: IDS.scorer,
    },
    status: 201,
    makes: 'evalCase',
  },
  {
    id: 'cases/create',
    name: 'must-pass',
    title: 'A case without which no run is cleared',
    params: OF_SUITE,
    body: {
      key: 'opened-box',
      name: 'Opened box',
      input: { question: 'I opened it. Can I still return it?' },
      scorer_id: IDS.scorer,
      tags: ['policy'],
      must_pass: true,
    },
    status: 201,
    makes: 'otherCase',
  },
  { id: 'cases/list', name: 'all', title: 'In their order', params: OF_SUITE, status: 200 },
  { id: 'cases/get', name: 'one', title: 'By its id', params: { caseId: IDS.evalCase }, status: 200 },
  {
    id: 'cases/update',
    name: 'weight',
    title: 'Counts twice in the pass rate',
    params: { caseId: IDS.evalCase },
    body: { weight: 2 },
    status: 200,
  },
  {
    id: 'cases/reorder',
    name: 'swapped',
    title: 'The second one first',
    params: OF_SUITE,
    body: { case_ids: [IDS.otherCase, IDS.evalCase] },
    status: 200,
  },
  { id: 'suites/revision', name: 'now', title: 'The digest of the bar', params: OF_SUITE, status: 200 },
  { id: 'definitions/get', name: 'whole', title: 'All that the suite is', params: SUITE, status: 200 },
];
