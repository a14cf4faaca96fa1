import type { Evalgate } from '../sdk/index.ts';
import type { Send } from '../sdk/transport/send.ts';
import { createClient, createSender, type Service } from './client.ts';
import { ID_TOKEN } from './idToken.ts';
import type { Io } from './io.ts';
import { explain, type Facts, OIDC } from './output/explain.ts';
import { printProblems } from './output/problems.ts';
import { FileProblem } from './problem.ts';
import { type CliCredential, type Flags, resolveSettings, type Settings } from './settings/settings.ts';
import type { Terminal, TerminalOptions } from './terminal.ts';

export interface GlobalOptions extends Flags, TerminalOptions {
  readonly json?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly terminal: Terminal;
  readonly globals: GlobalOptions;
  /** What is known of the request under way, for the explanation of its failure. */
  readonly facts: { -readonly [Name in keyof Facts]: Facts[Name] };
}

/** What a command does; it gives its exit code. */
export type Handler<Options = unknown> = (
  context: Context,
  args: readonly string[],
  options: Options,
) => Promise<number>;

export interface Connected {
  readonly gate: Evalgate;
  readonly settings: Settings;
}

/** A client of the service that the settings name. `scope`: what a job's own token has to be good for. */
export function connect(context: Context, scope?: 'suites'): Connected {
  const settings = settle(context);
  return { gate: clientOf(context, { ...settings, scope }), settings };
}

/** A client of any service, whose failures can be explained. */
export function clientOf({ io, facts }: Context, service: Service): Evalgate {
  return createClient(io, service, (connection, url, { method = 'GET' }) => {
    facts.answered = connection === 'lost' ? undefined : `${method} ${url}`;
    facts.onConnection?.(connection);
  });
}

/** What sends any request of the caller to the service that the settings name. */
export function connectRaw(context: Context): Send {
  context.facts.isOwnRequest = true;
  return createSender(context.io, settle(context));
}

/** The settings, which explanations of failures name. */
export function settle({ io, globals, facts }: Context): Settings {
  const settings = resolveSettings(io, globals);
  const { url, credential } = settings;
  facts.url = url;
  facts.from = fromOf(credential);
  return settings;
}

function fromOf(credential: CliCredential): string {
  if (credential.type === 'key') return credential.from;
  return credential.type === 'oidc' ? OIDC : ID_TOKEN;
}

/** Prints what went wrong, and gives the exit code. */
export function failed(error: unknown, { terminal, facts, globals }: Context): number {
  if (error instanceof FileProblem) printProblems(error.problems, terminal);
  const { message, hint, exitCode } = explain(error, facts);
  terminal.fail(message, hint);
  if (globals.verbose && error instanceof Error && error.cause) terminal.say(`cause: ${String(error.cause)}`);
  return exitCode;
}
