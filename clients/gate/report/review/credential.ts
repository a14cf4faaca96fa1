import type { Credential } from '../../../sdk/index.ts';
import { joined, plain, say, type Words } from '../words.ts';

const KINDS: Readonly<Record<Credential['type'], string>> = {
  api_key: 'API key',
  token: 'token of key',
  session: 'session of key',
  github_actions: 'a job of',
  ci_job: 'a job of',
};

/** Whose credential it was. */
export const credentialWords = ({ type, label }: Credential): Words =>
  joined([plain(KINDS[type]), say`${label}`], ' ');
