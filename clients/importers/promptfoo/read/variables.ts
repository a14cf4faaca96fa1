import type { Part } from '../../../files/read/parts.ts';
import type { Findings } from './findings.ts';
import type { Merged } from './merge.ts';
import { hasWildcard, isFileName, isNotRead, type Sources } from './sources.ts';
import { type Fields, fieldOf, isRecord, itemsOf, placeOf, recordOf } from './values.ts';

/** A suite has at most 10,000 cases. */
const TESTS_MAX = 10_000;

export interface Reading {
  readonly sources: Sources;
  readonly findings: Findings;
}

/** The variables of a test: one set for each that its lists make of it, none where they would make too many. */
export function setsOf({ part, vars, options }: Merged, reading: Reading): Fields[] {
  const all = new Map(vars.flatMap((one) => variablesOf(one, reading)));
  const isExpanded = options.disableVarExpansion !== true;
  const values = [...all].map(([name, variable]): [string, Part[]] => [
    name,
    isExpanded ? valuesOf(variable, reading) : [variable],
  ]);
  const count = values.reduce((product, [, list]) => product * list.length, 1);
  if (count > TESTS_MAX) {
    reading.findings.problems.error(
      placeOf(part),
      `its lists in \`vars\` make more than ${TESTS_MAX} tests: write fewer`,
    );
    return [];
  }
  let sets: (readonly [string, Part])[][] = [[]];
  for (const [name, list] of values)
    sets = sets.flatMap((set) => list.map((value) => [...set, [name, value] as const]));
  return sets.map((set) =>
    Object.fromEntries(set.map(([name, value]) => [name, inlined(name, value, reading)])),
  );
}

/** A map, the name of a file that has one, or a list of such names. */
function variablesOf(vars: Part, { sources, findings }: Reading): [string, Part][] {
  const { value } = vars;
  if (isRecord(value)) return Object.keys(value).map((name) => [name, fieldOf(vars, name)]);
  const named = typeof value === 'string' ? [vars] : itemsOf(vars);
  return named.flatMap((reference) => {
    const place = placeOf(reference);
    return sources.names(place, String(reference.value)).flatMap((name) => {
      const document = sources.document(place, name);
      if (document === undefined) return [];
      if (!isRecord(document.value)) findings.problems.error(document.at([]), 'must be a map of variables');
      const documentPart = { document, path: [], value: document.value };
      findings.searchVariables(documentPart);
      return Object.keys(recordOf(document.value)).map((field): [string, Part] => [
        field,
        fieldOf(documentPart, field),
      ]);
    });
  });
}

/** A list of texts stands for one test each, and so does each file of a pattern. */
function valuesOf(part: Part, { sources }: Reading): Part[] {
  const { value } = part;
  if (Array.isArray(value)) return typeof value[0] === 'string' ? itemsOf(part) : [part];
  if (!isFileName(value) || !hasWildcard(value)) return [part];
  return sources.names(placeOf(part), value).map((name) => ({ ...part, value: `file://${name}` }));
}

/** With what its file says: text without blanks around it, and JSON of what a YAML file means. */
function inlined(name: string, part: Part, { sources, findings }: Reading): unknown {
  const { value } = part;
  if (!isFileName(value)) return value;
  const place = placeOf(part);
  if (isNotRead(value)) {
    findings.note(place, `the variable "${name}" keeps the name of its file: it is a program or no text`);
    return value;
  }
  if (!/\.ya?ml$/i.test(value)) return sources.text(place, value)?.text.trim();
  const document = sources.document(place, value);
  return document && JSON.stringify(document.value);
}
