/** Only the end of a file's output is kept: the beginning seldom explains a failure. */
const LINES_KEPT = 200;
const STREAMS = ['stdout', 'stderr'];

const original = new Map(STREAMS.map((name) => [name, process[name].write]));
let pieces = [];
let isKeeping = false;

for (const name of STREAMS) {
  process[name].write = function write(chunk, encoding, done) {
    if (!isKeeping) return original.get(name).call(this, chunk, encoding, done);
    pieces.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) queueMicrotask(callback);
    return true;
  };
}
// A process that ends in the middle of a file shows its output.
process.on('exit', () => isKeeping && endFile('the file that this process did not finish', true));

/** Keeps all output from now on. */
function beginFile() {
  pieces = [];
  isKeeping = true;
}

/** Shows the kept output if something failed, and drops it. */
function endFile(file, hasFailed) {
  isKeeping = false;
  const lines = pieces.join('').trimEnd().split('\n');
  pieces = [];
  if (!hasFailed || lines.join('') === '') return;
  const shown = lines.slice(-LINES_KEPT);
  const left = lines.length - shown.length;
  const head = `--- What was written during ${file}${left > 0 ? `, without the first ${left} lines` : ''}:`;
  original.get('stderr').call(process.stderr, `${[head, ...shown].join('\n')}\n---\n`);
}

module.exports = { beginFile, endFile };
