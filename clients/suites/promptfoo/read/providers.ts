import type { Part } from '../../read/parts.ts';
import { isFileName, isNotRead, type Sources } from './sources.ts';
import { isRecord, itemsOf, listOf, placeOf, recordOf } from './values.ts';

/** What a provider answers before and after it differs by these, those of a provider of HTTP among them. */
const OF_PROVIDER = ['transform'];
const OF_CONFIG = ['transformResponse', 'responseParser'];

/** A provider with its settings, or a map of such by its name. */
export function changesOutput(provider: unknown): boolean {
  if (!isRecord(provider)) return false;
  return (provider.id === undefined ? Object.values(provider) : [provider]).some(
    (one) => hasAny(recordOf(one), OF_PROVIDER) || hasAny(recordOf(recordOf(one).config), OF_CONFIG),
  );
}

const hasAny = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.some((name) => fields[name] !== undefined && fields[name] !== null);

/** Whether a provider of the config does, those of files included. Of a provider nothing else is looked at. */
export function anyChangesOutput(providers: Part, sources: Sources): boolean {
  const parts = Array.isArray(providers.value) ? itemsOf(providers) : [providers];
  return parts.some((part) => {
    const { value } = part;
    if (!isFileName(value) || isNotRead(value)) return changesOutput(value);
    if (!/\.(?:ya?ml|json)$/i.test(value)) return false;
    const document = sources.settings(placeOf(part), value);
    return [document?.value, ...listOf(document?.value)].some(changesOutput);
  });
}
