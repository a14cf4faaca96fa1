import { AppError, unauthorized } from '../errors.ts';
import { SESSION_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import type { ApiKeyStore, PersonStore, Token, TokenIssuer } from './ports.ts';

/** A session of an API key: what it may do the session may. It lasts no longer than the key. */
export async function openSession(
  { tokens, now }: Pick<Ambient, 'now'> & { readonly tokens: TokenIssuer },
  { orgId, projectId, scope, credential, expiresAt }: Principal,
): Promise<Token & { readonly seconds: number }> {
  if (credential.type !== 'api_key') throw refused('opens');
  const leftSeconds =
    expiresAt === null ? SESSION_SECONDS : Math.floor((Date.parse(expiresAt) - now()) / 1_000);
  if (leftSeconds < 1) throw unauthorized();
  const seconds = Math.min(SESSION_SECONDS, leftSeconds);
  const { key_id } = credential;
  const session = await tokens.issue(
    { orgId, projectId, scope, credential: { type: 'session', key_id } },
    seconds,
    { session: { authSeconds: now() / 1_000 } },
  );
  return { ...session, seconds };
}

/** Ends the sessions of the key or the person, those of other browsers, too. */
export async function endSessions(
  { apiKeys, persons, now }: Ended,
  { orgId, credential, session }: Principal,
): Promise<void> {
  // The clock of the function that opened this session may be ahead.
  const untilMs = Math.max(now(), session?.openedAtMs ?? 0);
  if (session && credential.type === 'person') return persons.endSessions(orgId, credential, untilMs);
  if (credential.type !== 'api_key' && credential.type !== 'session') throw refused('ends');
  await apiKeys.endSessions(orgId, credential.key_id, untilMs);
}

interface Ended extends Pick<Ambient, 'now'> {
  readonly apiKeys: Pick<ApiKeyStore, 'endSessions'>;
  readonly persons: PersonStore;
}

const refused = (verb: string): AppError =>
  new AppError('SCOPE_REQUIRED', `This credential ${verb} no sessions: send an API key.`);
