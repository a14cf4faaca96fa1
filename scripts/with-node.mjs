// Runs an entry of this repository on the Node that the lockfile pins, after installing missing packages. Where the
// registry has no such Node for the machine (Macs), it uses the machine's own, if that is new enough.
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

/** npm writes its list of installed packages last: after a broken-off install there is none. */
function isInstalled() {
  const wanted = readLock(path.join(ROOT, 'package-lock.json'));
  if (wanted === undefined)
    fail('package-lock.json is missing or broken: get it back with `git checkout package-lock.json`.');
  const installed = readLock(path.join(MODULES, '.package-lock.json'));
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([location, { version, optional }]) => {
    if (location === '') return true;
    const there = installed[location];
    // Optional packages of other platforms are never installed.
    return there === undefined ? optional === true : there.version === version;
  });
}

function install() {
  process.stderr.write('evalgate: installing the packages that package-lock.json names ...\n');
  // `npm ci` installs exactly the locked packages or fails, and writes none of our files.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const npmCli = process.env.npm_execpath ?? '';
  const ownNpm = path.basename(npmCli) === 'npm-cli.js';
  const [command, ...first] = ownNpm ? [process.execPath, npmCli] : ['npm'];
  // npm's output goes to stderr: stdout is for the entry.
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: ROOT,
    stdio: ['inherit', 2, 'inherit'],
    shell: !ownNpm && process.platform === 'win32',
  });
  if (error) fail(`npm could not be started (${error.message}): install npm, then start again.`);
  if (status !== 0) fail('`npm ci` failed, see above: repair what it names, then start again.');
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
    env: { ...process.env, PATH: [path.join(MODULES, '.bin'), process.env.PATH].join(path.delimiter) },
  });
  // Ctrl-C reaches the whole process group, a `kill` only this process, which passes it on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm runs this in a shell. A `kill` of npm may end the shell without a signal to this process.
  const shell = process.ppid;
  const orphaned = () => process.ppid !== shell && child.kill('SIGTERM');
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, PARENT_POLL_MS);
  child.once('error', (error) => {
    fail(`${node} could not be started (${error.message}): delete node_modules, then start again.`);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const [entry, ...args] = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  fail(
    `Node ${NODE_MAJOR_MIN} or newer is needed, this is ${process.versions.node}: install one from https://nodejs.org.`,
  );
}
if (entry === undefined) fail('usage: node scripts/with-node.mjs <entry.ts> [arguments]');
if (!isInstalled()) install();
run(findNode(), entry, args);
