import { styleText } from 'node:util';
import { runnerLog, terminalText } from '../gate/report/escape.ts';
import type { Paint } from '../gate/report/text.ts';
import { type Io, isInActions } from './io.ts';

export interface TerminalOptions {
  readonly quiet?: boolean | undefined;
  readonly color?: boolean | undefined;
  readonly input?: boolean | undefined;
}

/** Data goes to stdout, words to stderr. */
export interface Terminal {
  readonly isQuiet: boolean;
  /** Whether somebody is there to be asked. */
  readonly canAsk: boolean;
  readonly paintData: Paint;
  readonly paintWords: Paint;
  /** As it is. */
  data(text: string): void;
  /** Lines of ours that may quote foreign text, on stdout. */
  report(text: string): void;
  /** A line that a quiet command leaves out. */
  say(text: string): void;
  warn(text: string): void;
  /** Lines as they are, but for what they quote. */
  note(text: string): void;
  /** What went wrong, then what to do. */
  fail(message: string, hint?: string): void;
}

/** API keys as this service and model providers make them, wherever they slipped in. */
const KEY = /\b(egk_|sk-|AIza)[\w-]{4,}/g;
export const redacted = (text: string): string => text.replace(KEY, '$1…');

/** Not from the reports: they are more than most commands need. */
const unpainted: Paint = (_style, text) => text;

export function createTerminal(
  io: Io,
  { quiet = false, color = true, input = true }: TerminalOptions,
): Terminal {
  const inActions = isInActions(io);
  const painted =
    (name: 'stdout' | 'stderr'): Paint =>
    (style, text) =>
      styleText(style, text, { stream: io[name] as NodeJS.WriteStream });
  const paintWords = color ? painted('stderr') : unpainted;
  const paintData = color ? painted('stdout') : unpainted;
  const harmless = (text: string): string => (inActions ? runnerLog(text) : text);
  const words = (before: string, text: string): void =>
    void io.stderr.write(harmless(`${before}${terminalText(redacted(text))}\n`));
  return {
    isQuiet: quiet,
    get canAsk() {
      return input && io.stdin.isTTY === true && io.stderr.isTTY === true;
    },
    paintData,
    paintWords,
    data: (text) => void io.stdout.write(text),
    report: (text) => void io.stdout.write(harmless(text)),
    say: (text) => {
      if (!quiet) words('', text);
    },
    warn: (text) => words(paintWords('yellow', 'warning: '), text),
    note: (text) => words('', text),
    fail(message, hint) {
      words(paintWords('red', 'evalgate: '), message);
      if (hint !== undefined) words('', hint);
    },
  };
}
