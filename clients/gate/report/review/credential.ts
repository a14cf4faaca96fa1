import type { Credential } from '../../../sdk/index.ts';
import { joined, plain, say, type Words } from '../words.ts';

type Job = Extract<Credential, { type: 'github_actions' | 'ci_job' }>;
type Provider = Extract<Credential, { type: 'ci_job' }>['provider'];

const KINDS: Readonly<Record<Exclude<Credential['type'], 'ci_job' | 'person'>, string>> = {
  api_key: 'API key',
  token: 'token of key',
  session: 'session of key',
  github_actions: 'a job of',
};

/** What CI systems are called. */
export const CI_NAMES: Readonly<Record<Provider | 'github', string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  buildkite: 'Buildkite',
  circleci: 'CircleCI',
  other: 'Other',
};

export const isJob = (credential: Credential): credential is Job =>
  credential.type === 'github_actions' || credential.type === 'ci_job';

/** Whose credential it was: of a job whose system has no name here, by the host of its issuer. A person's name stands alone. */
export function credentialWords(credential: Credential): Words {
  const label = say`${credential.label}`;
  if (credential.type === 'person') return label;
  if (credential.type !== 'ci_job') return joined([plain(KINDS[credential.type]), label], ' ');
  const { provider, issuer } = credential;
  if (provider !== 'other') return joined([plain(`a ${CI_NAMES[provider]} job of`), label], ' ');
  return joined([plain('a job of'), label, plain('at'), say`${URL.parse(issuer)?.host ?? issuer}`], ' ');
}
