import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

const WORDS = /\b(?:whoever|nobody|told|tells|meant|seeTo|company)\b/i;
/** In messages, help, labels and titles of tests. */
const VAGUE = /\b(?:says|said|asked|told|stands|what is(?! (?:wrong|missing))|whoever|nobody|somebody)\b/i;
const READ = /\.(?:tsx?|mjs|cjs|md|yml)$/;
const PRODUCT = /^(?:bench|clients|functions|infra|scripts|shared)\/.*\.(?:tsx?|mjs)$/;
const UNREAD =
  /\bgenerated\b|\/dist\/|^docs\/(?:api|rights|configuration)\.md$|^test\/words\.test\.ts$|^shared\/judge\/prompts\//;
const LITERALS: readonly unknown[] = ['StringLiteral', 'TemplateElement', 'RegExpLiteral', 'JSXText'];
const TEXTS: readonly unknown[] = ['StringLiteral', 'TemplateLiteral'];
const TITLED: readonly unknown[] = ['test', 'it', 'describe'];

interface Node extends Readonly<Record<string, unknown>> {
  readonly span?: { readonly start: number; readonly end: number };
}

/** `test` of `test`, `test.each(…)` and `test.each<…>(…)`. */
function nameOf({ value, object, callee }: Node): unknown {
  const inner = (object ?? callee) as Node | undefined;
  return value ?? (inner && nameOf(inner));
}

interface Texts {
  /** Comments, names and titles of tests: the code with blanks in place of all other literals. */
  readonly code: string;
  /** Messages, help and labels: literals of several words. */
  readonly messages: readonly string[];
  readonly titles: readonly string[];
}

function textsOf(file: string, text: string): Texts {
  // The parser counts positions in bytes from the first token on.
  const code = Buffer.from(`;${text.replace(/^#!/, '//')}`);
  const program = parseSync(code.toString(), { syntax: 'typescript', tsx: file.endsWith('.tsx') });
  const messages: string[] = [];
  const titles: string[] = [];
  const read = ({ span, ...node }: Node, isTitle: boolean): void => {
    if (LITERALS.includes(node.type) && span !== undefined) {
      const [start, end] = [span.start - program.span.start, span.end - program.span.start];
      const literal = code.subarray(start, end).toString();
      (isTitle ? titles : messages).push(literal);
      for (let at = start; at < end && !isTitle; at++) if (code[at] !== 10) code[at] = 32;
    }
    const isTitled = node.type === 'CallExpression' && TITLED.includes(nameOf(node.callee as Node));
    for (const [field, value] of Object.entries(node)) {
      for (const [index, inner] of ([value].flat() as (Node | null)[]).entries()) {
        if (typeof inner !== 'object' || inner === null) continue;
        const isName = isTitled && field === 'arguments' && index === 0;
        read(inner, isTitle || (isName && TEXTS.includes((inner.expression as Node | null)?.type)));
      }
    }
  };
  read(program as unknown as Node, false);
  return { code: code.toString(), messages: messages.filter((message) => /\S\s+\S/.test(message)), titles };
}

const lines = (text: string): string[] => text.split('\n');

interface Found {
  readonly file: string;
  readonly text: string;
}

const FILES: readonly Found[] = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file) && !UNREAD.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const isCode = (file: string): boolean => /\.(?:tsx?|mjs|cjs)$/.test(file);

test('comments, names, titles of tests and documents name the actor, without the words whoever, nobody, told and meant', () => {
  const found = FILES.flatMap(({ file, text }) => {
    if (!WORDS.test(text)) return [];
    const readable = file.endsWith('.yml') ? text.replace(/^[^#\n]*/gm, '') : text;
    const read = lines(isCode(file) ? textsOf(file, text).code : readable);
    return read.flatMap((line, index) => (WORDS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
  });
  expect(found).toEqual([]);
});

test('messages, help, labels and titles of tests are free of vague words such as says, asked and stands', () => {
  const found = FILES.filter(({ file, text }) => isCode(file) && VAGUE.test(text)).flatMap(
    ({ file, text }) => {
      const { messages, titles } = textsOf(file, text);
      const read = PRODUCT.test(file) ? messages : titles;
      return read.filter((message) => VAGUE.test(message)).map((message) => `${file}: ${message}`);
    },
  );
  expect(found).toEqual([]);
});
