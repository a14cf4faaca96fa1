const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { types } = require('node:util');
const { default: Runtime } = require('jest-runtime');
const { compileOnce, transformOnce } = require('./compiled.cjs');
const { withCalculatedCharacters } = require('./fastCheck.cjs');

const MANIFEST = path.resolve(__dirname, '../../../package.json');
const { dependencies, devDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
const NOT_SHARED = /^(jest$|@jest\/)/;
const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !NOT_SHARED.test(name));
const requireShared = createRequire(MANIFEST);

/** By specifier: the package as loaded by this process, or undefined where jest has to load it. */
const shared = new Map();

function load(specifier) {
  if (!names.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return undefined;
  if (specifier.endsWith('.json')) return undefined;
  const exported =
    specifier === 'fast-check' ? withCalculatedCharacters(requiredAs(specifier)) : requiredAs(specifier);
  // Jest would treat such a module as its own default export.
  return types.isModuleNamespaceObject(exported) && 'default' in exported ? undefined : exported;
}

/** Some packages can only be imported. */
function requiredAs(specifier) {
  try {
    return requireShared(specifier);
  } catch (error) {
    if (error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw error;
  }
}

function sharedPackage(name) {
  // Jest's form of Node's own modules.
  const specifier = name.replace(/^node:/, '');
  if (!shared.has(specifier)) shared.set(specifier, load(specifier));
  return shared.get(specifier);
}

/** What a package of Jest requires of another one; not by a path, nor of Node. */
const PACKAGE = /^[@a-z][^:]*$/;

function internalPackage(from, name) {
  const loaded = createRequire(from)(name);
  if (name === '@jest/expect') acceptBuiltInsOfTests(loaded.jestExpect);
  return loaded;
}

/** `expect.any(String)`: each test file has its own `String`. */
function acceptBuiltInsOfTests(expect) {
  if (Object.hasOwn(expect, ACCEPTS)) return;
  const { any } = expect;
  expect.any = (type) => any(BUILT_IN.includes(type?.name) ? globalThis[type.name] : type);
  expect[ACCEPTS] = true;
}

const ACCEPTS = Symbol('any');
const BUILT_IN = ['Array', 'BigInt', 'Boolean', 'Function', 'Number', 'Object', 'String', 'Symbol'];

compileOnce();

/**
 * Jest loads all modules again for every test file. That is right for ours, but the AWS SDK, CDK and zod would take
 * seconds and memory in every file. Packages are loaded once a process, by Node, like its own modules.
 */
class SharingRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { _resolution: resolution, coreModule } = this;
    const isShared = (specifier) => typeof specifier === 'string' && sharedPackage(specifier) !== undefined;
    for (const method of ['resolveEsm', 'resolveEsmAsync', 'resolveCjs']) {
      const resolve = resolution[method].bind(resolution);
      resolution[method] = (from, to) => (isShared(to) ? to : resolve(from, to));
    }
    const isCoreModule = resolution.isCoreModule.bind(resolution);
    resolution.isCoreModule = (name) => isShared(name) || isCoreModule(name);
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (name) => sharedPackage(name) ?? requireCore(name);
    transformOnce(this.transformCache);
  }

  requireInternalModule(from, to) {
    return to !== undefined && PACKAGE.test(to)
      ? internalPackage(from, to)
      : super.requireInternalModule(from, to);
  }
}

module.exports = SharingRuntime;
