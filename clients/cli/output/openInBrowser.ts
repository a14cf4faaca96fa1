import { spawn } from 'node:child_process';

/** What opens an address in a browser, by the operating system. None of them is a shell, which would read the address. */
const OPENERS: ReadonlyMap<string, readonly [string, ...string[]]> = new Map(
  Object.entries({
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  }),
);

/** The address is printed before: nothing is lost where there is no browser. */
export function openInBrowser(page: string): Promise<void> {
  const [program, ...args] = OPENERS.get(process.platform) ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, page], { detached: true, stdio: 'ignore' });
    child.on('error', () => resolve());
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
