import { type Example, IDS, PROJECT, SUITE } from './example.ts';

export const CREDENTIALS: readonly Example[] = [
  {
    id: 'apiKeys/create',
    name: 'ci',
    title: 'A key that can only run the gates of one project',
    body: { name: 'CI', scope: 'run', project: 'support-bot' },
    status: 201,
    makes: 'apiKey',
  },
  { id: 'apiKeys/list', name: 'all', title: 'All keys', status: 200 },
  { id: 'auth/createSession', name: 'browser', title: 'A cookie for twelve hours', body: {}, status: 201 },
  { id: 'auth/deleteSession', name: 'all', title: 'All browsers', status: 204 },
  {
    id: 'trustedIssuers/create',
    name: 'workflow',
    title: 'The jobs of one workflow',
    body: { repository: 'acme/support-bot', workflow: 'gate.yml', project: 'support-bot' },
    status: 201,
    makes: 'issuer',
  },
  {
    id: 'trustedIssuers/create',
    name: 'suites',
    title: 'Suites from the main branch',
    body: {
      repository: 'acme/support-bot',
      scope: 'suites',
      ref: 'refs/heads/main',
      workflow: 'push.yml',
      project: 'support-bot',
    },
    status: 201,
  },
  {
    id: 'trustedIssuers/create',
    name: 'gitlab',
    title: 'A project of GitLab by its name is refused, since names can be taken again: name project_id',
    body: {
      issuer: 'https://gitlab.com',
      claims: { project_path: 'acme/support-bot' },
      project: 'support-bot',
    },
    status: 400,
  },
  { id: 'trustedIssuers/list', name: 'all', title: 'All trusted issuers', status: 200 },
  {
    id: 'byokKeys/create',
    name: 'openai',
    title: 'The key that judges use',
    body: {
      provider: 'openai',
      key: 'sk-your-own-key-at-the-provider',
      name: 'Production',
      is_default: true,
    },
    status: 201,
    makes: 'byokKey',
  },
  { id: 'byokKeys/list', name: 'all', title: 'All keys', status: 200 },
  {
    id: 'byokKeys/test',
    name: 'works',
    title: 'Is it accepted?',
    params: { keyId: IDS.byokKey },
    status: 200,
  },
];

export const END: readonly Example[] = [
  { id: 'cases/delete', name: 'one', title: 'By its id', params: { caseId: IDS.evalCase }, status: 204 },
  { id: 'scorers/delete', name: 'one', title: 'By its id', params: { scorerId: IDS.judge }, status: 204 },
  { id: 'suites/delete', name: 'one', title: 'By its slugs', params: SUITE, status: 204 },
  { id: 'byokKeys/delete', name: 'one', title: 'Destroy it', params: { keyId: IDS.byokKey }, status: 204 },
  {
    id: 'trustedIssuers/delete',
    name: 'one',
    title: 'Trust it no more',
    params: { issuerId: IDS.issuer },
    status: 204,
  },
  { id: 'apiKeys/delete', name: 'one', title: 'Revoke it', params: { keyId: IDS.apiKey }, status: 204 },
  { id: 'projects/delete', name: 'one', title: 'With all that it holds', params: PROJECT, status: 204 },
  {
    id: 'organisation/delete',
    name: 'all',
    title: 'All of it, in seven days',
    body: { organisation: 'Acme' },
    status: 200,
  },
  { id: 'organisation/restore', name: 'all', title: 'Not after all', status: 204 },
];
