import {
  Composer,
  type Document,
  Lexer,
  LineCounter,
  type ParsedNode,
  Parser,
  type YAMLParseError,
} from 'yaml';
import type { Place, Problems } from './read/problems.ts';
import { type Entry, TOO_DEEP, YamlValues } from './read/yamlValues.ts';

export type Path = readonly PropertyKey[];

/** A document that was read, and the places of its parts. */
export interface Located {
  readonly value: unknown;
  /** Where the value at this path stands, or the innermost part around it that is there. */
  at(path: Path): Place;
  /** Where the name of this field stands. */
  atName(path: Path): Place;
}

/** A level of a document takes at most two entries of the parser's stack. JSON documents nest 64 levels. */
const PARSER_DEPTH_MAX = 180;
const MISTAKES_SHOWN_MAX = 20;

/** YAML 1.2 of the core schema: `no` and dates are text, and no tag makes anything else of a value. */
const OPTIONS = { version: '1.2', schema: 'core', uniqueKeys: false } as const;

/**
 * Reads one YAML document. What is wrong goes to `problems`: undefined where nothing can be made of the text. Takes time
 * in proportion to the text, and refuses depth before anything recurses.
 */
export function readYaml(file: string, text: string, problems: Problems): Located | undefined {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file, line, column: col };
  };
  const documents = documentsOf(text, lines);
  if (typeof documents === 'number') {
    problems.error(placeOf(documents), TOO_DEEP);
    return undefined;
  }
  const [document, second] = documents;
  if (document === undefined) throw new Error('an empty text makes a document, too');
  const mistakes = mistakesIn(document);
  for (const { message, pos } of mistakes.slice(0, MISTAKES_SHOWN_MAX)) {
    problems.error(placeOf(pos[0]), `is not YAML: ${message}`);
  }
  if (second !== undefined)
    problems.error(placeOf(second.range[0]), 'must be one YAML document: split the file');
  if (mistakes.length > 0 || second !== undefined) return undefined;
  return located(document, problems, placeOf);
}

type Parsed = Document.Parsed<ParsedNode>;

/** The place where the text nests too deep, in place of its documents. */
function documentsOf(text: string, lines: LineCounter): Parsed[] | number {
  const parser = new Parser((offset) => lines.addNewLine(offset));
  const composer = new Composer(OPTIONS);
  const documents: Parsed[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    if (parser.stack.length > PARSER_DEPTH_MAX) return parser.offset;
    if (documents.length > 1) return documents;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));
  return documents;
}

function mistakesIn({
  errors,
  warnings,
  directives,
  range,
}: Parsed): Pick<YAMLParseError, 'message' | 'pos'>[] {
  const { explicit, version } = directives.yaml;
  if (explicit && version !== '1.2') {
    return [{ message: `version ${version} is not read: write YAML 1.2`, pos: [range[0], range[0]] }];
  }
  return [...errors, ...warnings];
}

function located(
  document: Parsed,
  problems: Problems,
  placeOf: (offset: number) => Place,
): Located | undefined {
  const values = new YamlValues((offset, message) => problems.error(placeOf(offset), message));
  const before = problems.errorCount;
  const value = values.of(document.contents);
  if (problems.errorCount > before) return undefined;
  const start = document.contents?.range[0] ?? 0;
  const entryOf = (path: Path): Entry => {
    let entry: Entry = { name: start, value: start };
    let at = value;
    for (const step of path) {
      const next = values.entryOf(at, step);
      if (next === undefined) break;
      entry = next;
      at = (at as Record<PropertyKey, unknown>)[step];
    }
    return entry;
  };
  return {
    value,
    at: (path) => placeOf(entryOf(path).value),
    atName: (path) => placeOf(entryOf(path).name),
  };
}
