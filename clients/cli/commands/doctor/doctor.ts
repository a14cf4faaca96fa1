import { safeJson, terminalLine } from '../../../gate/report/escape.ts';
import { createSender } from '../../client.ts';
import { type Context, clientOf, type Handler, settle } from '../../context.ts';
import type { Settings } from '../../settings/settings.ts';
import { Checks, type Finding } from './checks.ts';
import { reportClaims, reportIdToken } from './claims.ts';
import { checkMachine } from './local.ts';
import { checkCredential, checkService } from './remote.ts';

const SIGNS = {
  ok: ['green', '✓'],
  note: ['yellow', '!'],
  change: ['red', '✗'],
  lost: ['red', '?'],
} as const;

/** Looks for what keeps commands from working, and prints what to do. */
export const doctor: Handler = async (context) => {
  const { io, terminal, globals, facts } = context;
  const checks = new Checks(context, (finding) => {
    if (!globals.json) printFinding(context, finding);
  });
  const { url, settings } = await checkMachine(checks, context, () => settle(context));
  if (url !== undefined) {
    facts.url = url;
    const isThere = await checkService(checks, createSender(io, { url }), io.signal);
    if (isThere && settings !== undefined) await checkIdentity(checks, context, settings);
  }
  if (globals.json) terminal.data(`${safeJson(checks.findings.map(fieldsOf), 2)}\n`);
  return checks.exitCode;
};

async function checkIdentity(checks: Checks, context: Context, settings: Settings): Promise<void> {
  const { credential, project } = settings;
  if (credential.type === 'id_token') return reportIdToken(checks, context.io, credential.idToken);
  let jobToken: string | undefined;
  const onToken = (token: string): void => {
    // The second one is the service's.
    jobToken ??= token;
  };
  const used = credential.type === 'oidc' ? { ...credential, onToken } : credential;
  const gate = clientOf(context, { ...settings, credential: used });
  await checkCredential(checks, gate, { project, signal: context.io.signal });
  reportClaims(checks, jobToken);
}

/** Scripts read the sentence as `said`. */
const fieldsOf = ({ check, status, message, hint }: Finding) => ({
  check,
  status,
  said: message,
  ...(hint !== undefined && { hint }),
});

function printFinding({ terminal }: Context, { check, status, message, hint }: Finding): void {
  const [style, sign] = SIGNS[status];
  terminal.report(`${terminal.paintData(style, sign)} ${check}  ${terminalLine(message)}\n`);
  if (hint !== undefined) terminal.report(`    ${terminalLine(hint)}\n`);
}
