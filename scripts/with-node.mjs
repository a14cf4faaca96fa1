// Runs an entry of this repository on the Node that the lockfile pins, after installing missing packages: all of them, or
// with `--runtime` those that service and command line use. Where the registry has no such Node for the machine (Macs),
// it uses the machine's own, if that is new enough.
// Plain JavaScript without dependencies, because the machine's own Node runs this file.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that may run this file. */
const NODE_MAJOR_MIN = 20;
/** The oldest Node that may replace the pinned one: it strips types and has `import.meta.main`. */
const OWN_NODE_MIN = [24, 2];
const PARENT_POLL_MS = 250;
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = path.join(ROOT, 'node_modules');
const PINNED_NODE = path.join(MODULES, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function fail(sentence) {
  process.stderr.write(`evalgate: ${sentence}\n`);
  process.exit(1);
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/**
 * Which of `all` and `runtime` is installed as it is locked. npm writes its list of installed packages last: after a
 * broken-off install there is none.
 */
function installedParts() {
  const lockedParts = readLock(path.join(ROOT, 'package-lock.json'));
  if (lockedParts === undefined)
    fail('package-lock.json is missing or broken: get it back with `git checkout package-lock.json`.');
  const installed = readLock(path.join(MODULES, '.package-lock.json'));
  const lacks = ([location, { version, optional }]) => {
    if (location === '') return false;
    const there = installed?.[location];
    // Optional packages of other platforms are never installed.
    return there === undefined ? installed === undefined || optional !== true : there.version !== version;
  };
  const missing = Object.entries(lockedParts).filter(lacks);
  return {
    all: missing.length === 0,
    runtime: missing.every(([, { dev }]) => dev === true) && installed !== undefined,
  };
}

/** `npm ci` installs exactly the locked packages or fails, and writes none of our files. */
const CI = ['ci', '--include=optional'];
/** It adds what is missing to packages that a service may be running on, and `npm ci` would delete first. */
const ADD = ['install', '--no-save', '--include=optional'];

function install(isRuntime) {
  const { all, runtime } = installedParts();
  if (isRuntime ? runtime : all) return;
  const which = isRuntime ? 'run it' : 'package-lock.json names';
  process.stderr.write(`evalgate: installing the packages that ${which} ...\n`);
  const what = isRuntime ? '--omit=dev' : '--include=dev';
  const args = [...(runtime ? ADD : CI), what, '--no-audit', '--no-fund', '--loglevel=error'];
  const npmCli = process.env.npm_execpath ?? '';
  const ownNpm = path.basename(npmCli) === 'npm-cli.js';
  const [command, ...first] = ownNpm ? [process.execPath, npmCli] : ['npm'];
  // npm's output goes to stderr: stdout is for the entry.
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 2, 'inherit'],
    shell: !ownNpm && process.platform === 'win32',
  });
  if (error) fail(`npm could not be started (${error.message}): install npm, then start again.`);
  if (status !== 0) fail(`\`npm ${args[0]}\` failed, see above: repair what it names, then start again.`);
}

function findNode() {
  if (existsSync(PINNED_NODE)) return PINNED_NODE;
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [majorMin, minorMin] = OWN_NODE_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return process.execPath;
  return fail(
    `node_modules/node/bin/node is missing: npm did not run the install script of the package "node", or there is ` +
      `none for ${process.platform} on ${process.arch}. Run \`npm rebuild node --ignore-scripts=false\`, or install ` +
      `Node ${OWN_NODE_MIN.join('.')} or newer from https://nodejs.org, then start again.`,
  );
}

function run(node, entry, args) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path.resolve(ROOT, entry), ...args], {
    // The entry notices by the channel that this process is gone, even by `kill -9`.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // npm goes to the repository's root: the command line works where it was called.
    cwd: process.env.npm_lifecycle_event === 'cli' ? process.env.INIT_CWD : undefined,
    env: { ...process.env, PATH: [path.join(MODULES, '.bin'), process.env.PATH].join(path.delimiter) },
  });
  // A `kill` reaches only this process, which passes it on. Ctrl-C on a terminal reaches the whole process group: passed
  // on, it would be a second Ctrl-C.
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && isOnTerminal) || child.kill(signal));
  // npm runs this in a shell. A `kill` of npm may end the shell without a signal to this process.
  const shell = process.ppid;
  const orphaned = () => process.ppid !== shell && child.kill('SIGTERM');
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, PARENT_POLL_MS);
  child.once('error', (error) => {
    fail(`${node} could not be started (${error.message}): delete node_modules, then start again.`);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const isRuntime = process.argv[2] === '--runtime';
const [entry, ...args] = process.argv.slice(isRuntime ? 3 : 2);
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  fail(
    `Node ${NODE_MAJOR_MIN} or newer is needed, this is ${process.versions.node}: install one from https://nodejs.org.`,
  );
}
if (entry === undefined) fail('usage: node scripts/with-node.mjs [--runtime] <entry.ts> [arguments]');
install(isRuntime);
run(findNode(), entry, args);
