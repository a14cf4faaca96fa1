import type { Part } from '../../../files/read/parts.ts';
import { isFileName, isNotRead, type Sources } from './sources.ts';
import { isRecord, itemsOf, listOf, placeOf, recordOf } from './values.ts';

/** What a provider answers before and after it differs by these, those of a provider of HTTP among them. */
const OF_PROVIDER = ['transform'];
const OF_CONFIG = ['transformResponse', 'responseParser'];

/** A provider with its settings, or a map of such by its name. */
const namedIn = (provider: unknown): readonly unknown[] =>
  isRecord(provider) && provider.id === undefined ? Object.values(provider) : [provider];

export const changesOutput = (provider: unknown): boolean => namedIn(provider).some(transforms);

const transforms = (one: unknown): boolean =>
  hasAny(recordOf(one), OF_PROVIDER) || hasAny(recordOf(recordOf(one).config), OF_CONFIG);

const hasAny = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.some((name) => fields[name] !== undefined && fields[name] !== null);

/** The providers of a config, each as it is written there or in a file; one whose file is not read is its name. */
export function providersIn(providers: Part, sources: Sources): unknown[] {
  const parts = Array.isArray(providers.value) ? itemsOf(providers) : [providers];
  return parts.flatMap((part) => {
    const { value } = part;
    if (value === undefined || value === null) return [];
    const isRead = isFileName(value) && !isNotRead(value) && /\.(?:ya?ml|json)$/i.test(value);
    if (!isRead) return namedIn(value);
    const read = sources.document(placeOf(part), value)?.value;
    return (Array.isArray(read) ? listOf(read) : [read]).flatMap(namedIn);
  });
}

/** Whether a provider of the config does, those of files included. Beside that, only its tools are looked at. */
export const anyChangesOutput = (providers: Part, sources: Sources): boolean =>
  providersIn(providers, sources).some(transforms);
