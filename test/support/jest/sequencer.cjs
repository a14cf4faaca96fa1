const path = require('node:path');
const { createRequire } = require('node:module');

const requireOfJest = createRequire(require.resolve('jest/package.json'));
const { default: Sequencer } = createRequire(requireOfJest.resolve('@jest/core'))('@jest/test-sequencer');

const ROOT = path.resolve(__dirname, '../../..');

/** What takes longest, of which none should be left to one worker at the end. Elsewhere no file takes ten seconds. */
const LONGEST = /^test\/(faults\/|infra\/|expressions\.)|\.slow\.test\.ts$/;

const isLong = ({ path: file }) => LONGEST.test(path.relative(ROOT, file).replaceAll(path.sep, '/'));

/** As Jest does, by the time that each took the last time or by its size, but those first that take long on every machine. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

module.exports = LongestFirst;
