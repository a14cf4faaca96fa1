const { appendFileSync, existsSync, readFileSync } = require('node:fs');

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;
const STAT = '/proc/self/stat';

/** Milliseconds of the processor that children of this process took that have ended; 0 where the system does not say. */
function childrenMs() {
  if (!existsSync(STAT)) return 0;
  const stat = readFileSync(STAT, 'utf8');
  // The second field is the command in brackets, which may have blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

const ownMs = () => {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1000);
};

/** The processor's time so far, in milliseconds: of this process, and of its children that have ended. */
const processorTime = () => ({ own: ownMs(), children: childrenMs() });

/** Adds a line of JSON to the file that EVALGATE_TEST_RECORD names: what a test file took since `began`. */
function record(file, began) {
  const target = process.env.EVALGATE_TEST_RECORD;
  if (target === undefined) return;
  const { own, children } = processorTime();
  const line = { file, ownMs: own - began.own, childrenMs: children - began.children };
  appendFileSync(target, `${JSON.stringify(line)}\n`);
}

module.exports = { processorTime, record };
