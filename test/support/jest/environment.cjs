const path = require('node:path');
const { types } = require('node:util');
const { TestEnvironment } = require('jest-environment-node');
const { beginFile, endFile } = require('./output.cjs');
const { processorTime, record } = require('./record.cjs');

const ROOT = path.resolve(__dirname, '../../..');

/** Test files and packages have different built-in classes; `instanceof` accepts both. */
const BRANDS = {
  Array: Array.isArray,
  Date: types.isDate,
  Error: types.isNativeError,
  Map: types.isMap,
  Promise: types.isPromise,
  RegExp: types.isRegExp,
  Set: types.isSet,
};
const ofSameName = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError'];

function takeAll(global) {
  for (const [name, isOne] of Object.entries(BRANDS)) takeBy(global[name], isOne);
  for (const name of ofSameName) {
    takeBy(global[name], (value) => types.isNativeError(value) && value.name === name);
  }
}

const ordinary = Function.prototype[Symbol.hasInstance];

function takeBy(type, isOne) {
  if (Object.hasOwn(type, Symbol.hasInstance)) return;
  Object.defineProperty(type, Symbol.hasInstance, {
    value(value) {
      return ordinary.call(this, value) || (this === type && isOne(value));
    },
  });
}

takeAll(globalThis);

// A worker ends with the run that started it, also in the middle of a file.
const endWithRun = () => process.exit(1);
process.once('disconnect', endWithRun);
// Listening holds the channel open: a worker that takes no more messages must not, or it is ended by force.
process.on('removeListener', (event) => {
  if (event === 'message' && process.listenerCount('message') === 0) process.off('disconnect', endWithRun);
});
// To free the contexts of all files one by one takes longer than Jest waits.
process.once('beforeExit', () => process.exit());

/** For what is costly to make, and is the same in every test file of a process. */
const kept = new Map();

/**
 * Node's environment for packages that the process shares: they see the variables that a test sets. The output of the
 * code under test is shown for failing files only.
 */
class SharingEnvironment extends TestEnvironment {
  #variables = { ...process.env };
  #file;
  #began;
  #hasPassed = false;

  constructor(config, context) {
    super(config, context);
    this.#file = context.testPath;
  }

  async setup() {
    beginFile();
    this.#began = processorTime();
    await super.setup();
    takeAll(this.global);
    this.global[Symbol.for('evalgate.kept')] = kept;
    Object.defineProperty(this.global.process, 'env', { value: process.env });
  }

  handleTestEvent({ name }, { unhandledErrors, rootDescribeBlock }) {
    if (name === 'run_finish') this.#hasPassed = unhandledErrors.length === 0 && passed(rootDescribeBlock);
  }

  async teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    await super.teardown();
    record(path.relative(ROOT, this.#file), this.#began);
    endFile(this.#file, !this.#hasPassed);
  }
}

const passed = ({ children }) =>
  children.every((child) => (child.type === 'test' ? child.errors.length === 0 : passed(child)));

module.exports = SharingEnvironment;
