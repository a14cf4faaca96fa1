import type * as z from 'zod';
import type { Resource } from './cloudFormation.ts';

/** The resources of a deployment by what they are. */
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

  /** The one that references with this value mean. */
  named(type: string, attribute: string, value: string): Resource {
    const found = this.ofType(type).find((resource) => resource.value(attribute) === value);
    if (found === undefined) throw new Error(`No ${type} has the ${attribute} ${value}`);
    return found;
  }
}

/** The properties as a schema knows them; anything else throws, naming the resource. */
export function read<Schema extends z.ZodType>(resource: Resource, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(resource.properties);
  if (parsed.success) return parsed.data;
  const { stack, logicalId, type } = resource;
  throw new Error(`${stack.name}/${logicalId} (${type}) is not as expected: ${parsed.error.message}`);
}
