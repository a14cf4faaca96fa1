import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY_DIR } from './support/processes.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(REPOSITORY_DIR, file), 'utf8'));
const packages: Readonly<Record<string, LockedPackage>> = read('package-lock.json').packages;
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
/** The registry has it for Linux on x64 only; elsewhere npx brings it. */
const ENGINE = '@dynoxide/linux-x64';

/** As npm finds it: beside the package that asks for it, else above. */
function lockedFor(location: string, name: string): LockedPackage | undefined {
  const nested = packages[`${location}/node_modules/${name}`];
  if (nested !== undefined || location === '') return nested ?? packages[`node_modules/${name}`];
  return lockedFor(location.slice(0, Math.max(0, location.lastIndexOf('/node_modules/'))), name);
}

const isForOnePlatform = ({ os, cpu }: LockedPackage) => os !== undefined || cpu !== undefined;

const isFor = (platform: string, { os = [], cpu = [], libc }: LockedPackage): boolean => {
  const [system = '', processor = ''] = platform.split('-');
  return os.includes(system) && cpu.includes(processor) && (libc?.includes('glibc') ?? true);
};

/** Whatever asks for packages of single platforms, with those packages. */
const native = Object.entries(packages)
  .map(([location, { optionalDependencies = {} }]) => {
    const names = Object.keys(optionalDependencies).filter((name) => name !== ENGINE);
    return { location, parts: names.map((name) => ({ name, locked: lockedFor(location, name) })) };
  })
  .filter(({ parts }) => parts.some(({ locked }) => locked === undefined || isForOnePlatform(locked)));

test('the lockfile knows which packages have native parts', () => {
  expect(native.length).toBeGreaterThan(3);
});

test.each(native)('every part of $location is locked with its version and checksum', ({ parts }) => {
  for (const { name, locked } of parts) {
    expect({ name, locked }).toEqual({
      name,
      locked: expect.objectContaining({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        integrity: expect.stringMatching(/^sha512-/),
      }),
    });
  }
});

test.each(
  native.flatMap(({ location, parts }) => PLATFORMS.map((platform) => ({ location, platform, parts }))),
)('$location has its native part for $platform', ({ platform, parts }) => {
  expect(parts.filter(({ locked }) => locked && isFor(platform, locked))).not.toEqual([]);
});

test('the engine is named in the very version that is locked: npx brings the same elsewhere', () => {
  expect(read('package.json').optionalDependencies[ENGINE]).toBe(packages[`node_modules/${ENGINE}`]?.version);
});

test('no package is locked for single platforms unless another one asks for it, but the engine', () => {
  const asked = new Set(native.flatMap(({ parts }) => parts.map(({ name }) => name)));
  const others = Object.entries(packages)
    .filter(([, locked]) => isForOnePlatform(locked))
    .map(([location]) => location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(others.filter((name) => !asked.has(name))).toEqual([ENGINE]);
});

test('a Node that cannot be installed does not end the installation', () => {
  expect(read('package.json').optionalDependencies).toHaveProperty('node');
});
