import type { Connection } from '../../gate/connection.ts';
import type { Io } from '../io.ts';
import type { Terminal } from '../terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** CI ends steps that print nothing for long. */
const LINE_MS = 30_000;
const CLEAR_LINE = '\r\u001b[2K';

const WAITING: Readonly<Record<Connection, string>> = {
  answered: '',
  limited: ': the service limits requests, trying again until the wait ends',
  lost: ': no connection, trying again until the wait ends, for a minute at least',
};

export interface Progress {
  /** What is done from now on; ours, without foreign text. */
  update(what: string): void;
  /** How the last request ended. */
  connection(connection: Connection): void;
  /** Leaves no trace on a terminal. */
  stop(): void;
}

/** One line that moves on a terminal, elsewhere a line now and every 30 s. */
export function startProgress(io: Io, terminal: Terminal, what: string): Progress {
  if (terminal.isQuiet)
    return { update: () => undefined, connection: () => undefined, stop: () => undefined };
  const startedAtMs = Date.now();
  const elapsed = (): string => `${Math.round((Date.now() - startedAtMs) / 1_000)} s`;
  let [current, frame] = [what, 0];
  let last: Connection = 'answered';
  const shown = (): string => `${current}${WAITING[last]}`;
  const isMoving = io.stderr.isTTY === true;
  const draw = (): void => {
    const sign = FRAMES[frame++ % FRAMES.length] ?? '';
    io.stderr.write(`${CLEAR_LINE}${terminal.paintWords('dim', `${sign} ${shown()} (${elapsed()})`)}`);
  };
  const line = (): void => terminal.say(`${shown()} (${elapsed()})`);
  if (isMoving) draw();
  else terminal.say(current);
  const timer = setInterval(isMoving ? draw : line, isMoving ? FRAME_MS : LINE_MS);
  return {
    update(next) {
      if (!isMoving && next !== current) terminal.say(next);
      current = next;
    },
    connection(connection) {
      if (connection === last) return;
      last = connection;
      if (!isMoving) line();
    },
    stop() {
      clearInterval(timer);
      if (isMoving) io.stderr.write(CLEAR_LINE);
    },
  };
}
