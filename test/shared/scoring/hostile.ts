type Schema = Record<string, unknown>;

/** Validating it takes 2 ** levels steps. */
export function doublingRefs(levels: number): Schema {
  const $defs: Schema = { l0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const below = { $ref: `#/$defs/l${level - 1}` };
    $defs[`l${level}`] = { allOf: [below, below] };
  }
  return { $ref: `#/$defs/l${levels}`, $defs };
}

/** A value that fits nowhere makes 2 ** levels errors. */
export function doublingAnyOf(levels: number): Schema {
  const $defs: Schema = { l0: { type: 'string', const: 'never' } };
  for (let level = 1; level <= levels; level++) {
    const below = { $ref: `#/$defs/l${level - 1}` };
    $defs[`l${level}`] = { anyOf: [below, below] };
  }
  return { $ref: `#/$defs/l${levels}`, $defs };
}

export function nested(levels: number): Schema {
  let schema: Schema = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { not: schema };
  return schema;
}
