import type { ApiKey, Organisation, PlanId } from '../../contracts/auth.ts';
import { type OperatorCommand, operatorCommandSchema } from '../../contracts/operator.ts';
import type { PlanChanged } from '../billing/ports.ts';
import type { LoggedChange } from '../changes/log.ts';
import { AppError, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import { timestamp } from '../time.ts';
import { newApiKey, sha256OfKey, shownPrefix } from './apiKey.ts';
import { keyLog } from './keys.ts';
import type { AccountMaker, AccountStore, ApiKeyStore } from './ports.ts';
import { signUp } from './signUp.ts';

export interface OperatorDeps extends Ambient {
  readonly accounts: AccountMaker & Pick<AccountStore, 'organisation'>;
  readonly apiKeys: ApiKeyStore;
  /** The plan of an organisation that is made without one. */
  readonly plan: PlanId;
  setPlan(
    orgId: string,
    plan: PlanId,
    atMs: number,
    log: (from: PlanId) => LoggedChange,
  ): Promise<PlanChanged>;
}

/** Only this answer holds a key. */
export interface Operated {
  readonly organisation: { readonly id: string; readonly name: string; readonly plan: PlanId };
  readonly api_key?: ApiKey & { readonly key: string };
}

/** What is done is an entry of the organisation's log. VALIDATION_ERROR for what is no command. */
export async function operate(deps: OperatorDeps, sent: unknown): Promise<Operated> {
  const parsed = operatorCommandSchema.safeParse(sent);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
    throw new AppError('VALIDATION_ERROR', `The command is not understood: ${path.join('.')}: ${message}`);
  }
  return done(deps, parsed.data);
}

async function done(deps: OperatorDeps, command: OperatorCommand): Promise<Operated> {
  const { accounts, apiKeys, now, newId } = deps;
  if (command.command === 'create-organisation') {
    const { name, plan = deps.plan } = command;
    const { organisation, api_key } = await signUp(deps, { name, plan, isByOperator: true });
    return { organisation: { id: organisation.id, name, plan }, api_key };
  }
  const existing = await accounts.organisation(command.organisation);
  if (existing === undefined) throw notFound('organisation');
  const { id, name } = existing;
  if (command.command === 'set-plan') {
    const { plan } = command;
    const atMs = now();
    const changed = await deps.setPlan(id, plan, atMs, (from) => ({
      projectId: null,
      action: 'updated',
      target: { type: 'organisation', id, name },
      changes: { plan: { from, to: plan } },
      at: timestamp(atMs),
      by: null,
    }));
    if (changed.outcome === 'organisation_gone') throw notFound('organisation');
    return { organisation: { id, name, plan } };
  }
  const key = newApiKey();
  const apiKey: ApiKey = {
    id: newId(),
    name: 'made by the operator',
    key_prefix: shownPrefix(key),
    project_id: null,
    scope: 'full',
    expires_at: null,
    last_used_at: null,
    created_at: timestamp(now()),
    created_by: null,
  };
  const stored = { ...apiKey, sha256: sha256OfKey(key) };
  const log = { ...keyLog(apiKey, 'created'), at: apiKey.created_at, by: null };
  const outcome = await apiKeys.create(id, stored, () => Number.POSITIVE_INFINITY, log);
  if (outcome !== 'created') throw noKeyFor(await accounts.organisation(id), apiKey.created_at);
  return { organisation: { id, name, plan: existing.plan }, api_key: { ...apiKey, key } };
}

function noKeyFor(organisation: Organisation | undefined, time: string): AppError {
  const deletesAt = organisation?.deletes_at;
  if (deletesAt === undefined || deletesAt <= time) return notFound('organisation');
  return new AppError(
    'ORGANISATION_BEING_DELETED',
    `This organisation is being deleted, and gets no API key: until ${deletesAt} DELETE /v1/organisation/deletion, or its settings in the dashboard, take that back, with a key of scope "full" that it has. Then run the command again.`,
  );
}
