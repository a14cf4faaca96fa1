import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { StartupError } from '../startupError.ts';

export interface EngineCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** How long the engine may take until it answers. */
  readonly startDeadlineMs: number;
  readonly viaNpx: boolean;
}

const BINARY_DEADLINE_MS = 15_000;
/** Long enough for a download on the first start. */
const NPX_DEADLINE_MS = 180_000;
/** The tested version. */
const NPX_PACKAGE = `dynoxide@${manifest.optionalDependencies['@dynoxide/linux-x64']}`;

/** The requested binary, else the one installed for this platform, else `npx`. */
export function findEngine(requestedBinary: string | undefined): EngineCommand {
  if (requestedBinary !== undefined) {
    if (!isExecutable(requestedBinary)) {
      throw new StartupError(
        `The database engine ${requestedBinary} (DYNOXIDE_PATH) is missing or cannot be executed: ` +
          'unset DYNOXIDE_PATH to use the installed one, or set DYNAMODB_ENDPOINT to a running DynamoDB engine.',
      );
    }
    return binary(path.resolve(requestedBinary));
  }
  const installed = installedBinary();
  if (installed !== undefined) return binary(installed);
  return {
    file: 'npx',
    args: ['--yes', NPX_PACKAGE],
    startDeadlineMs: NPX_DEADLINE_MS,
    viaNpx: true,
  };
}

function binary(file: string): EngineCommand {
  return { file, args: [], startDeadlineMs: BINARY_DEADLINE_MS, viaNpx: false };
}

function installedBinary(): string | undefined {
  const name = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@dynoxide/${process.platform}-${process.arch}/package.json`,
    );
    const file = path.join(path.dirname(manifest), name);
    return isExecutable(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
