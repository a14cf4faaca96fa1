import { isJsonObject } from '../../json.ts';
import { atOwnStep, decoded, pointerSteps } from '../walk.ts';
import { type Draft, isOnlyReference, schemasOf } from './draft.ts';

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

/** What the references of a document without an `$id` are resolved against; nothing is ever fetched. */
const NO_ID = 'https://schema.invalid/';

/** The resources of one document. References lead to these and nowhere else. */
export class Resources {
  readonly main: Resource;
  readonly #draft: Draft;
  readonly #byUri = new Map<string, Resource>();
  readonly #of = new Map<object, Resource>();

  constructor(document: object, draft: Draft) {
    this.#draft = draft;
    const unnamed = new Resource(NO_ID, document);
    this.#index(document, unnamed);
    this.main = this.of(document);
    if (!this.#byUri.has(NO_ID)) this.#byUri.set(NO_ID, this.main);
  }

  of(schema: object): Resource {
    return this.#of.get(schema) ?? this.main;
  }

  resolve(from: object, reference: string): Target {
    const [address, fragment] = splitAtHash(reference);
    const resource = address === '' ? this.of(from) : this.#byUri.get(resolved(address, this.of(from).uri));
    const name = decoded(fragment);
    if (resource === undefined) throw missing(reference);
    if (name === '') return { schema: resource.root, resource, dynamicAnchor: null };
    if (name.startsWith('/')) return this.#atPointer(resource, name, reference);
    const dynamic = resource.dynamicAnchors.get(name);
    const schema = dynamic ?? resource.anchors.get(name);
    if (schema === undefined) throw missing(reference);
    return { schema, resource, dynamicAnchor: dynamic === undefined ? null : name };
  }

  #atPointer(start: Resource, pointer: string, reference: string): Target {
    let schema: unknown = start.root;
    let resource = start;
    for (const step of pointerSteps(pointer)) {
      schema = atOwnStep(schema, step);
      const own = typeof schema === 'object' && schema !== null ? this.#of.get(schema) : undefined;
      resource = own ?? resource;
    }
    if (typeof schema !== 'boolean' && !isJsonObject(schema)) throw missing(reference);
    // Below a keyword that is not known, a schema is one only because something refers to it.
    this.#index(schema, resource);
    return { schema, resource, dynamicAnchor: null };
  }

  #index(schema: unknown, parent: Resource): void {
    if (!isJsonObject(schema) || this.#of.has(schema)) return;
    const resource = this.#identified(schema, parent);
    this.#of.set(schema, resource);
    for (const child of schemasOf(schema, this.#draft)) this.#index(child, resource);
  }

  /** The resource that a schema belongs to: its own when it has an `$id`. */
  #identified(schema: Schema, parent: Resource): Resource {
    const resource = this.#named(schema, parent);
    const { $anchor, $dynamicAnchor } = schema;
    if (this.#draft.version >= 2019 && typeof $anchor === 'string') resource.anchors.set($anchor, schema);
    if (this.#draft.version >= 2020 && typeof $dynamicAnchor === 'string') {
      resource.dynamicAnchors.set($dynamicAnchor, schema);
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
    if (fragment !== '' && !fragment.startsWith('/')) resource.anchors.set(decoded(fragment), schema);
    return resource;
  }

  #open(uri: string, schema: Schema): Resource {
    if (this.#byUri.has(uri)) throw new Error(`two schemas in it have the ${this.#draft.id} ${uri}`);
    const resource = new Resource(uri, schema);
    this.#byUri.set(uri, resource);
    return resource;
  }
}

function splitAtHash(reference: string): [string, string] {
  const at = reference.indexOf('#');
  return at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
}

function resolved(address: string, base: string): string {
  return URL.parse(address, base)?.href ?? address;
}

/** As ajv throws it, so that both are reported alike. */
function missing(reference: string): Error {
  return Object.assign(new Error(`no schema is found at ${reference}`), { missingRef: reference });
}
