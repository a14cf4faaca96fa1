import { type DocumentDirective, EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml';
import { lineOf } from './lines.ts';
import { type Located, ownOf, type Path } from './parts.ts';
import type { Place, Problems } from './problems.ts';
import type { Entry } from './yamlEntries.ts';
import { TOO_DEEP, YamlValues } from './yamlValues.ts';

/** More than the levels that are read, fewer than the stack bears. */
const PARSER_DEPTH_MAX = 100;
const PARSED_TOO_DEEP = 'nesting exceeded maxDepth';

/**
 * Reads one YAML document. What is wrong goes to `problems`: undefined where nothing can be made of the text. Takes time
 * in proportion to the text, and refuses depth before anything recurses far.
 */
export function readYaml(file: string, text: string, problems: Problems): Located | undefined {
  const linePlace = lineOf(text);
  const placeOf = (offset: number): Place => ({ file, ...linePlace(offset) });
  try {
    return located(text, parseEvents(text, { maxDepth: PARSER_DEPTH_MAX }), problems, placeOf);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const message = reason.startsWith(PARSED_TOO_DEEP) ? TOO_DEEP : `is not YAML: ${reason}`;
    problems.error(placeOf(mark?.position ?? 0), message);
    return undefined;
  }
}

/** YAML 1.2 of the core schema: `no` and dates are text, and no tag makes anything else of a value. */
function located(
  text: string,
  events: readonly Event[],
  problems: Problems,
  placeOf: (offset: number) => Place,
): Located | undefined {
  const values = new YamlValues(text, events, (offset, message) => problems.error(placeOf(offset), message));
  const before = problems.errorCount;
  const [first] = events;
  if (first?.type === EVENT_ID.DOCUMENT) {
    for (const directive of first.directives) {
      const why = whyRefused(directive);
      if (why !== undefined) problems.error(placeOf(text.indexOf('%')), `is not YAML: ${why}`);
    }
  }
  const start = events.length === 0 ? 0 : values.startOf(events[1]);
  const value = events.length === 0 ? null : values.at(1);
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
  if (second > 0)
    problems.error(placeOf(values.startOf(events[second + 1])), 'must be one YAML document: split the file');
  if (problems.errorCount > before) return undefined;
  const entryOf = (path: Path): Entry & { readonly isThere: boolean } => {
    let entry: Entry = { name: start, value: start };
    let inner = value;
    for (const step of path) {
      const next = values.entryOf(inner, step);
      if (next === undefined) return { ...entry, isThere: false };
      entry = next;
      inner = ownOf(inner, step);
    }
    return { ...entry, isThere: true };
  };
  const isReferred = (path: Path): boolean => {
    const entry = entryOf(path);
    return entry.isThere && values.isAliased(entry.value);
  };
  return {
    value,
    at: (path) => placeOf(entryOf(path).value),
    atName: (path) => placeOf(entryOf(path).name),
    isReferred,
  };
}

function whyRefused(directive: DocumentDirective): string | undefined {
  if (directive.kind === 'tag') return '%TAG is not read: leave it out';
  const { version } = directive;
  return version === '1.2' ? undefined : `version ${version} is not read: write YAML 1.2`;
}
