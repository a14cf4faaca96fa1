import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICK_MS = 10;

/**
 * Milliseconds of processor time that a process has used, in steps of 10. From /proc on Linux, from `ps` on macOS; NaN
 * on Windows.
 */
export function processorMs(pid: number): number {
  if (process.platform === 'linux') return linuxMs(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (process.platform === 'win32') return Number.NaN;
  return psMs(execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }));
}

/** User and system time are fields 14 and 15. Field 2, the name in parentheses, may contain blanks. */
function linuxMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** `[[days-]hours:]minutes:seconds`, with hundredths on macOS. */
function psMs(time: string): number {
  const [clock = '', days = '0'] = time.trim().split('-').toReversed();
  return (
    clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000 + Number(days) * 86_400_000
  );
}
