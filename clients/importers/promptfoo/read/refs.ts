import type { Located, Path } from '../../../files/read/parts.ts';
import { ownOf } from '../../../files/read/parts.ts';
import type { Problems } from '../../../files/read/problems.ts';

const PREFIX = '#/';
const CHAIN_MAX = 16;

/**
 * The document with `{$ref: '#/…'}` replaced by what the pointer leads to; fields beside `$ref` go before that. A pointer
 * that leads nowhere stays: a JSON schema may mean it. What is reached twice is one object.
 */
export function withoutRefs(document: Located, problems: Problems): Located {
  const resolver = new Resolver(document, problems);
  const value = resolver.of(document.value, []);
  return {
    value,
    at: (path) => document.at(resolver.sourceOf(path)),
    atName: (path) => document.atName(resolver.sourceOf(path)),
    isReferred: (path) => document.isReferred?.(path) === true || resolver.isTarget(path),
  };
}

class Resolver {
  readonly #document: Located;
  readonly #problems: Problems;
  readonly #known = new Map<object, unknown>();
  readonly #open = new Set<string>();
  readonly #targets = new Set<string>();
  /** By the paths of references. */
  readonly #targetOfPath = new Map<string, Path>();

  constructor(document: Located, problems: Problems) {
    this.#document = document;
    this.#problems = problems;
  }

  isTarget(path: Path): boolean {
    return this.#targets.has(keyOf(path));
  }

  /** Where the text of a part stands: what a reference brought in stands at its target. */
  sourceOf(path: Path): Path {
    let source = path;
    let hops = this.#targetOfPath.size === 0 ? 0 : CHAIN_MAX;
    for (let index = 0; index < source.length && hops > 0; index++) {
      const before = source.slice(0, index);
      const target = this.#targetOfPath.get(keyOf(before));
      const step = source[index];
      if (target === undefined || step === undefined || this.#hasOwn(before, step)) continue;
      source = [...target, ...source.slice(index)];
      index = target.length - 1;
      hops--;
    }
    return source;
  }

  #hasOwn(path: Path, step: PropertyKey): boolean {
    const value = valueAt(this.#document.value, path);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, step);
  }

  of(value: unknown, path: Path): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (this.#known.has(value)) return this.#known.get(value);
    const resolved = Array.isArray(value)
      ? value.map((item: unknown, index) => this.of(item, [...path, index]))
      : this.#object(value as Readonly<Record<string, unknown>>, path);
    this.#known.set(value, resolved);
    return resolved;
  }

  #object(value: Readonly<Record<string, unknown>>, path: Path): unknown {
    const { $ref: pointer, ...beside } = value;
    const ownFields = Object.fromEntries(
      Object.entries(beside).map(([name, field]) => [name, this.of(field, [...path, name])]),
    );
    const target = typeof pointer === 'string' ? this.#targetOf(pointer, path) : undefined;
    if (target === undefined)
      return Object.hasOwn(value, '$ref') ? { $ref: pointer, ...ownFields } : ownFields;
    return isRecord(target.value) ? { ...target.value, ...ownFields } : target.value;
  }

  #targetOf(pointer: string, path: Path): { readonly value: unknown } | undefined {
    if (!pointer.startsWith(PREFIX)) return undefined;
    const steps = pointer.slice(PREFIX.length).split('/').map(unescaped);
    const target = valueAt(this.#document.value, steps);
    if (target === undefined) return undefined;
    this.#targets.add(keyOf(steps));
    this.#targetOfPath.set(keyOf(path), steps);
    if (this.#open.has(pointer) || this.#open.size >= CHAIN_MAX) {
      const why = this.#open.has(pointer) ? 'leads to itself' : 'is one of too many in a row';
      const message = `$ref ${pointer.slice(0, 100)} ${why}: correct it`;
      this.#problems.error(this.#document.at([...path, '$ref']), message);
      return { value: null };
    }
    this.#open.add(pointer);
    const value = this.of(target, steps);
    this.#open.delete(pointer);
    return { value };
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const keyOf = (path: Path): string => JSON.stringify(path.map(String));

const valueAt = (value: unknown, steps: Path): unknown => steps.reduce(ownOf, value);
