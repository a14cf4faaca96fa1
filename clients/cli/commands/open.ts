import { spawn } from 'node:child_process';
import type { Handler } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { readProjectFile } from '../settings/projectFile.ts';
import { findUrl } from '../settings/settings.ts';

/** What opens an address in a browser, by the operating system. None of them is a shell, which would read the address. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Prints the address of the service's page, and opens it where somebody sits in front of the machine. */
export const open: Handler = async ({ io, globals, terminal }) => {
  const { value: url } = findUrl(io, globals, readProjectFile(io));
  const page = `${url}/docs`;
  terminal.data(`${page}\n`);
  if (terminal.canAsk) await openInBrowser(page);
  return EXIT.done;
};

/** The address is printed: nothing is lost where there is no browser. */
function openInBrowser(page: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, page], { detached: true, stdio: 'ignore' });
    child.on('error', () => resolve());
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
