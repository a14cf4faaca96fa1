import type * as z from 'zod';
import type { Resource } from './cloudFormation.ts';

/** The resources of a deployment by type. */
export class Made {
  readonly #resources: readonly Resource[];

  constructor(resources: readonly Resource[]) {
    this.#resources = resources;
  }

  ofType(type: string): readonly Resource[] {
    return this.#resources.filter((resource) => resource.type === type);
  }

  only(type: string): Resource {
    const [resource, ...others] = this.ofType(type);
    if (resource === undefined || others.length > 0) throw new Error(`There must be one ${type}`);
    return resource;
  }

  /** The resource whose attribute has this value. */
  named(type: string, attribute: string, value: string): Resource {
    const found = this.ofType(type).find((resource) => resource.value(attribute) === value);
    if (found === undefined) throw new Error(`No ${type} has the ${attribute} ${value}`);
    return found;
  }
}

/** Parses the properties; a mismatch throws with the resource's name. */
export function read<Schema extends z.ZodType>(resource: Resource, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(resource.properties);
  if (parsed.success) return parsed.data;
  const { stack, logicalId, type } = resource;
  throw new Error(`${stack.name}/${logicalId} (${type}) is not as expected: ${parsed.error.message}`);
}
