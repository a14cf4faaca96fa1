import { registerHooks } from 'node:module';

/** Preloaded into a service: all that it stores is in its memory. */
const REPLACED = '/shared/storage/table/dynamoTable.ts';

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.endsWith(REPLACED)) return resolved;
    return { ...resolved, url: new URL('createTable.ts', import.meta.url).href };
  },
});
