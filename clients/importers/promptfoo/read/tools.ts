import type { Part } from '../../../files/read/parts.ts';
import { looksLikeKey } from '../../imports/keys.ts';
import { providersIn } from './providers.ts';
import { isFileName, isNotRead, type Sources } from './sources.ts';
import { isTemplate } from './templates.ts';
import { isRecord, listOf, placeOf, recordOf, textOf } from './values.ts';

/** What a scorer takes. */
const NAMES_MAX = 100;
const NAME = /^[^*]{1,256}$/;

/** The names of the functions that every provider of the config has. Undefined where they are not known, or differ. */
export type Tools = () => readonly string[] | undefined;

export function toolsOf(parts: readonly Part[], sources: Sources): Tools {
  let read: { readonly names: readonly string[] | undefined } | undefined;
  return () => {
    read ??= { names: sameNames(parts, sources) };
    return read.names;
  };
}

function sameNames(parts: readonly Part[], sources: Sources): readonly string[] | undefined {
  const lists = parts.flatMap((part) =>
    providersIn(part, sources).map((provider) => namesIn(provider, part, sources)),
  );
  const [first] = lists;
  return lists.every((names) => names?.join() === first?.join()) ? first : undefined;
}

function namesIn(provider: unknown, part: Part, sources: Sources): readonly string[] | undefined {
  const { tools } = recordOf(recordOf(provider).config);
  const names = listOf(readTools(tools, part, sources)).flatMap((tool) => {
    const { type, function: described } = recordOf(tool);
    // What the list gets from a file of its own.
    if (!isRecord(tool)) return [''];
    return type === 'function' && isRecord(described) ? [textOf(described.name) ?? ''] : [];
  });
  const isFine = (name: string): boolean => NAME.test(name) && !isTemplate(name) && !looksLikeKey(name);
  const unique = [...new Set(names)].sort();
  return unique.length > 0 && unique.length <= NAMES_MAX && unique.every(isFine) ? unique : undefined;
}

/** A list of tools, or the name of a file that has it. */
function readTools(tools: unknown, part: Part, sources: Sources): unknown {
  if (!isFileName(tools)) return tools;
  const isRead = !isNotRead(tools) && !isTemplate(tools) && /\.(?:ya?ml|json)$/i.test(tools);
  return isRead ? sources.document(placeOf(part), tools)?.value : undefined;
}
