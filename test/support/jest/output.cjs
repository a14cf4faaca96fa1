/** Of what one test file had written, the end: the beginning is seldom what explains a failure. */
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
// A process that ends in the middle of a file says why.
process.on('exit', () => isKeeping && endFile('the file that this process did not finish', true));

/** From now on, what is written is kept. */
function beginFile() {
  pieces = [];
  isKeeping = true;
}

/** Shows what was kept if something failed, and forgets it. */
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
