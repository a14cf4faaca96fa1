import { isJsonObject } from '../../kit/json.ts';
import { atOwnStep, decoded, pointerSteps, type SchemaPath } from '../pointers.ts';
import { type Draft, isOnlyReference, placesOf, referencesOf } from './draft.ts';

export type Schema = Record<string, unknown>;

/** A schema with an address of its own: the document, and each part of it that has an `$id`. */
export class Resource {
  readonly uri: string;
  readonly root: unknown;
  readonly anchors = new Map<string, Schema>();
  readonly dynamicAnchors = new Map<string, Schema>();

  constructor(uri: string, root: unknown) {
    this.uri = uri;
    this.root = root;
  }

  /** `$recursiveAnchor` of draft 2019-09. */
  get isRecursive(): boolean {
    return isJsonObject(this.root) && this.root.$recursiveAnchor === true;
  }
}

export interface Target {
  readonly schema: unknown;
  readonly resource: Resource;
  /** Set when the reference named a `$dynamicAnchor`. */
  readonly dynamicAnchor: string | null;
}

export interface Placed {
  readonly schema: Schema;
  readonly resource: Resource;
  readonly path: SchemaPath;
  /** True for a schema in a place where the meta-schema expects none: a reference makes it a schema. */
  readonly isEntry: boolean;
}

/** The base address of a document without an `$id`. Nothing is fetched. */
const NO_ID = 'https://schema.invalid/';

/** All schemas of one document, and its resources. References can name only these. */
export class Resources {
  readonly main: Resource;
  readonly #document: Schema;
  readonly #draft: Draft;
  #hasStrayIds: boolean | undefined;
  readonly #byUri = new Map<string, Resource>();
  readonly #placed = new Map<object, Placed>();

  constructor(document: Schema, draft: Draft) {
    this.#document = document;
    this.#draft = draft;
    const unnamed = new Resource(NO_ID, document);
    this.#place(document, unnamed, [], false);
    this.main = this.#placed.get(document)?.resource ?? unnamed;
    if (!this.#byUri.has(NO_ID)) this.#byUri.set(NO_ID, this.main);
    this.#placeTargets();
  }

  /** Whether anything below the document has an `$id`, even if it is no schema. */
  get hasStrayIds(): boolean {
    this.#hasStrayIds ??= Object.values(this.#document).some((value) => holds(value, this.#draft.id));
    return this.#hasStrayIds;
  }

  get schemas(): readonly Placed[] {
    return [...this.#placed.values()];
  }

  of(schema: object): Resource {
    return this.#placed.get(schema)?.resource ?? this.main;
  }

  resolve(from: object, reference: string): Target {
    const target = this.find(from, reference);
    if (target === undefined) throw missing(reference);
    return target;
  }

  find(from: object, reference: string): Target | undefined {
    const [address, fragment] = splitAtHash(reference);
    const resource = address === '' ? this.of(from) : this.#byUri.get(resolved(address, this.of(from).uri));
    const name = decoded(fragment);
    if (resource === undefined) return undefined;
    if (name === '') return { schema: resource.root, resource, dynamicAnchor: null };
    if (name.startsWith('/')) return this.#atPointer(resource, name);
    const dynamic = resource.dynamicAnchors.get(name);
    const schema = dynamic ?? resource.anchors.get(name);
    if (schema === undefined) return undefined;
    return { schema, resource, dynamicAnchor: dynamic === undefined ? null : name };
  }

  #atPointer(start: Resource, pointer: string): Target | undefined {
    let schema: unknown = start.root;
    let resource = start;
    const path = [...this.#pathOf(start.root)];
    for (const step of pointerSteps(pointer)) {
      schema = atOwnStep(schema, step);
      path.push(step);
      const placed = typeof schema === 'object' && schema !== null ? this.#placed.get(schema) : undefined;
      resource = placed?.resource ?? resource;
    }
    if (typeof schema !== 'boolean' && !isJsonObject(schema)) return undefined;
    this.#place(schema, resource, path, true);
    return { schema, resource: isJsonObject(schema) ? this.of(schema) : resource, dynamicAnchor: null };
  }

  #pathOf(schema: unknown): SchemaPath {
    return isJsonObject(schema) ? (this.#placed.get(schema)?.path ?? []) : [];
  }

  /** Targets are schemas even inside data. Repeats, since one can hold the address that another names. */
  #placeTargets(): void {
    for (let count = -1; count < this.#placed.size; ) {
      count = this.#placed.size;
      for (const { schema } of this.#placed.values()) {
        for (const reference of referencesOf(schema, this.#draft)) this.find(schema, reference);
      }
    }
  }

  #place(schema: unknown, parent: Resource, path: SchemaPath, isEntry: boolean): void {
    if (!isJsonObject(schema) || this.#placed.has(schema)) return;
    const resource = this.#identified(schema, parent);
    this.#placed.set(schema, { schema, resource, path, isEntry });
    for (const [steps, child] of placesOf(schema, this.#draft)) {
      // The meta-schemas up to draft 07 don't know `$defs`.
      const isBeyond = steps[0] === '$defs' && this.#draft.version <= 7;
      this.#place(child, resource, [...path, ...steps], isBeyond);
    }
  }

  /** The resource that a schema belongs to: its own when it has an `$id`. */
  #identified(schema: Schema, parent: Resource): Resource {
    const resource = this.#named(schema, parent);
    const { $anchor, $dynamicAnchor } = schema;
    const { version } = this.#draft;
    if (version >= 2019 && typeof $anchor === 'string') claim(resource, 'anchors', $anchor, schema);
    if (version >= 2020 && typeof $dynamicAnchor === 'string') {
      claim(resource, 'dynamicAnchors', $dynamicAnchor, schema);
    }
    return resource;
  }

  #named(schema: Schema, parent: Resource): Resource {
    const id = schema[this.#draft.id];
    if (typeof id !== 'string' || isOnlyReference(schema, this.#draft)) return parent;
    const [address, fragment] = splitAtHash(id);
    const uri = address === '' ? parent.uri : resolved(address, parent.uri);
    const resource = uri === parent.uri ? parent : this.#open(uri, schema);
    // Up to draft 07 a fragment in `$id` was an anchor.
    if (fragment !== '' && !fragment.startsWith('/')) claim(resource, 'anchors', decoded(fragment), schema);
    return resource;
  }

  #open(uri: string, schema: Schema): Resource {
    if (this.#byUri.has(uri)) throw new Error(`two schemas in it have the ${this.#draft.id} ${uri}`);
    const resource = new Resource(uri, schema);
    this.#byUri.set(uri, resource);
    return resource;
  }
}

function claim(resource: Resource, kind: 'anchors' | 'dynamicAnchors', name: string, schema: Schema): void {
  const taken = resource.anchors.get(name) ?? resource.dynamicAnchors.get(name);
  if (taken !== undefined && taken !== schema) throw new Error(`two schemas in it have the anchor ${name}`);
  resource[kind].set(name, schema);
}

function holds(value: unknown, id: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isJsonObject(value) && typeof value[id] === 'string') return true;
  return Object.values(value).some((child) => holds(child, id));
}

function splitAtHash(reference: string): [string, string] {
  const hash = reference.indexOf('#');
  return hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

function resolved(address: string, base: string): string {
  return URL.parse(address, base)?.href ?? address;
}

/** The error that ajv throws, so that both engines are reported alike. */
function missing(reference: string): Error {
  return Object.assign(new Error(`no schema is found at ${reference}`), { missingRef: reference });
}
