import { OPERATIONS, VERSION } from '../../../sdk/generated/operations.ts';
import type { AuthWhoamiAnswer, Evalgate } from '../../../sdk/index.ts';
import { operationOf } from '../../../sdk/transport/operation.ts';
import type { Reply, Send } from '../../../sdk/transport/send.ts';
import { nameOf } from '../../input/options.ts';
import { Problem } from '../../problem.ts';
import type { Checks } from './checks.ts';

/** Tokens are valid for minutes. */
const CLOCK_MS_MAX = 60_000;
const EXPIRY_MS_MIN = 7 * 24 * 60 * 60 * 1_000;

interface Health {
  readonly status?: string;
  readonly version?: string;
}

/** Whether the service answers, which version it is, and what its clock says. */
export async function checkService(checks: Checks, send: Send, signal: AbortSignal): Promise<boolean> {
  const startedMs = Date.now();
  const ask = () => send(operationOf(OPERATIONS.health.get), { names: [] }, { signal, retries: 1 });
  const reply = await checks.run('connection', ask, ({ body }) => {
    const { status } = body as Health;
    if (status === 'ok') return { message: `the service answers in ${Date.now() - startedMs} ms` };
    if (status === undefined) return NO_SERVICE;
    const hint = 'The service reports this itself: try again later.';
    return { status: 'lost', message: `the service answers, and is ${status}`, hint };
  });
  if (reply === undefined) return false;
  checkVersion(checks, reply);
  checkClock(checks, reply, startedMs);
  return true;
}

const NO_SERVICE = {
  status: 'change',
  message: 'what answers is no evalgate service',
  hint: 'Is the URL right? See --url and EVALGATE_URL.',
} as const;

function checkVersion(checks: Checks, { body }: Reply): void {
  const { version } = body as Health;
  if (typeof version !== 'string') return;
  const isOlder = version.localeCompare(VERSION, 'en', { numeric: true }) < 0;
  checks.add('version', {
    status: isOlder ? 'note' : 'ok',
    message: `the service is ${version}${isOlder ? `, older than this program (${VERSION})` : ''}`,
    hint: isOlder ? 'Commands that it does not know yet end with 404.' : undefined,
  });
}

/** Against the middle of the request. The header has whole seconds. */
function checkClock(checks: Checks, { headers }: Reply, startedMs: number): void {
  const theirsMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirsMs)) return;
  const differenceMs = theirsMs - (startedMs + Date.now()) / 2;
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  const isWrong = Math.abs(differenceMs) > CLOCK_MS_MAX;
  checks.add('clock', {
    status: isWrong ? 'change' : 'ok',
    message: `the service's differs from this machine's by ${seconds} s`,
    hint: isWrong ? "Set the one that is wrong: OIDC tokens and waivers count by the service's." : undefined,
  });
}

/** Who the credential is, and whether it may use the project of the settings. */
export async function checkCredential(
  checks: Checks,
  gate: Evalgate,
  { project, signal }: { readonly project: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const known = await checks.run('identity', () => gate.auth.whoami({ signal }), describeIdentity);
  if (known === undefined) return;
  await checks.run(
    'project',
    () => projectMessage(gate, known, project),
    (message) => ({ message }),
  );
}

function describeIdentity({ organisation, scope, credential, expires_at }: AuthWhoamiAnswer) {
  const leftMs = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - Date.now();
  const until = expires_at === null ? 'until it is revoked' : `until ${expires_at}`;
  const who = credential.type === 'person' ? `${credential.label} of ` : '';
  const message = `${who}${organisation.name} (${organisation.id}), plan ${organisation.plan}, scope ${scope}, ${until}`;
  // A token always ends soon.
  const endsSoon = credential.type === 'api_key' && leftMs < EXPIRY_MS_MIN;
  return endsSoon
    ? { status: 'note' as const, message, hint: 'It ends soon: make another key.' }
    : { message };
}

async function projectMessage(gate: Evalgate, known: AuthWhoamiAnswer, requested?: string): Promise<string> {
  const { project, scope } = known;
  if (requested === undefined)
    return project === null ? 'none is named: all of the organisation' : project.slug;
  const slug = nameOf('slug of a project', requested);
  if (project !== null) {
    if (project.slug === slug) return slug;
    const hint = 'Name that project, or use a credential of the other one.';
    throw new Problem(`The settings name ${slug}, and the credential is for ${project.slug}.`, hint);
  }
  if (scope === 'run') return `${slug}; scope run may not look whether it is there`;
  await gate.projects.get(slug);
  return slug;
}
