import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Io, variable } from './io.ts';
import { Problem, systemReason } from './problem.ts';

/** A key, or the token of a person or a CI job, until that ends. */
export type Login =
  | { readonly api_key: string; readonly token?: undefined }
  | {
      readonly api_key?: undefined;
      readonly token: string;
      readonly expires_at: string;
      /** Of the person: its id. */
      readonly organisation: string;
      readonly id_token?: undefined;
    }
  | {
      readonly api_key?: undefined;
      readonly token: string;
      readonly expires_at: string;
      /** SHA-256 of the ID token that it was exchanged for: another job of the same machine has another one. */
      readonly id_token: string;
    };

/** One entry for each service. */
interface Credentials {
  /** The service that was logged in to last. */
  readonly current?: string | undefined;
  readonly services: Readonly<Record<string, Login>>;
}

const NONE: Credentials = { services: {} };

/** A path that is not absolute is to be ignored, says the XDG specification. */
export function credentialsFile(io: Pick<Io, 'env'>): string {
  const configured = variable(io, 'XDG_CONFIG_HOME');
  const home = variable(io, 'HOME') ?? homedir();
  const folder = configured && path.isAbsolute(configured) ? configured : path.join(home, '.config');
  return path.join(folder, 'evalgate', 'credentials.json');
}

export function readCredentials(io: Pick<Io, 'env'>): Credentials {
  const file = credentialsFile(io);
  let text: string;
  try {
    refuseShared(file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw error instanceof Problem ? error : new Problem(`${file} can't be read: ${systemReason(error)}.`);
  }
  return credentialsOf(text, file);
}

/** Windows has no such bits. */
function refuseShared(file: string): void {
  const { mode } = statSync(file);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new Problem(
    `${file} can be read by others.`,
    `chmod 600 ${file}; if others use this machine, revoke its keys and log in again.`,
  );
}

function credentialsOf(text: string, file: string): Credentials {
  try {
    const { current, services } = JSON.parse(text) as Partial<Credentials>;
    const entries = Object.entries(services ?? {}).filter(([, entry]) => isLogin(entry));
    return {
      current: typeof current === 'string' ? current : undefined,
      services: Object.fromEntries(entries),
    };
  } catch {
    throw new Problem(`${file} is damaged.`, 'Delete it, and log in again: evalgate login');
  }
}

const isLogin = ({ api_key, ...job }: Login): boolean =>
  typeof api_key === 'string' || ('token' in job && typeof job.token === 'string');

/** In place of what was there, as a whole, and never readable by others. */
function write(io: Pick<Io, 'env'>, credentials: Credentials): void {
  const file = credentialsFile(io);
  const next = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(next, 0o600);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new Problem(`${file} can't be written: ${systemReason(error)}.`);
  }
}

export function keepCredential(io: Pick<Io, 'env'>, url: string, login: Login): void {
  const { services } = readCredentials(io);
  write(io, { current: url, services: { ...services, [url]: login } });
}

export function dropCredential(io: Pick<Io, 'env'>, url: string): void {
  const { current, services } = readCredentials(io);
  const { [url]: _dropped, ...otherServices } = services;
  const [other] = Object.keys(otherServices);
  write(io, { current: current === url ? other : current, services: otherServices });
}
