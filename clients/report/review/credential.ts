import type { Credential } from '../../sdk/index.ts';
import { joined, plain, say, type Words } from '../words.ts';

const KINDS = { api_key: 'API key', token: 'token of key', session: 'session of key' } as const;

/** Whose credential it was. */
export function credentialWords(by: Credential): Words {
  if (by.type !== 'github_actions') return joined([plain(KINDS[by.type]), say`${by.key_id}`], ' ');
  return say`a job of ${by.repository} (${by.actor})`;
}
