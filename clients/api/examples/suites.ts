import { type Example, OF_SUITE, PROJECT, SUITE } from './example.ts';

export const START: readonly Example[] = [
  { id: 'health/get', name: 'health', title: 'Is it up?', status: 200 },
  { id: 'templates/list', name: 'all', title: 'All templates', status: 200 },
  { id: 'templates/get', name: 'one', title: 'One of them', params: { slug: 'code-review' }, status: 200 },
  { id: 'auth/signup', name: 'acme', title: 'A new organisation', body: { name: 'Acme' }, status: 201 },
  { id: 'auth/token', name: 'of-a-key', title: 'A token for an API key', status: 200 },
  {
    id: 'auth/token',
    name: 'for-suites',
    title: 'A token for suites; a job asks with its OIDC token in the place of the key',
    body: { scope: 'suites' },
    status: 200,
  },
  { id: 'auth/whoami', name: 'key', title: 'What the key is, and what it may use', status: 200 },
  { id: 'auth/jwks', name: 'keys', title: 'The public keys', status: 200, isOfHttp: true },
  { id: 'runs/statementKeys', name: 'keys', title: 'The public keys', status: 200, isOfHttp: true },
  {
    id: 'projects/create',
    name: 'support-bot',
    title: 'A project',
    body: { name: 'Support bot', description: 'Answers customers in the shop' },
    status: 201,
  },
  { id: 'projects/list', name: 'first', title: 'The first ten', query: { pageSize: '10' }, status: 200 },
  { id: 'projects/get', name: 'one', title: 'By its slug', params: PROJECT, status: 200 },
  {
    id: 'projects/update',
    name: 'renamed',
    title: 'A new name; the slug stays',
    params: PROJECT,
    body: { name: 'Support assistant' },
    status: 200,
  },
];

export const SUITES: readonly Example[] = [
  {
    id: 'suites/create',
    name: 'returns',
    title: 'A suite that nine tenths of the weight have to pass',
    params: PROJECT,
    body: { name: 'Returns', pass_threshold: 0.9 },
    status: 201,
    makes: 'suite',
  },
  {
    id: 'suites/createFromTemplate',
    name: 'code-review',
    title: 'A copy of a template',
    params: PROJECT,
    body: { template_slug: 'code-review', name: 'Reviews' },
    status: 201,
  },
  { id: 'suites/list', name: 'all', title: 'Of a project', params: PROJECT, status: 200 },
  { id: 'suites/get', name: 'by-slug', title: 'By its slugs', params: SUITE, status: 200 },
  { id: 'suites/getById', name: 'by-id', title: 'By its id', params: OF_SUITE, status: 200 },
  {
    id: 'suites/update',
    name: 'gates',
    title: 'A gate for the cases with one tag',
    params: SUITE,
    body: { gates: { tags: [{ tag: 'policy', pass_threshold: 1 }] }, keep_outputs: 'failed' },
    status: 200,
  },
];
