import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

const WORDS = /\b(?:whoever|nobody|told|tells|meant|seeTo|company)\b/i;
const READ = /\.(?:ts|mjs|cjs|md|yml)$/;
const UNREAD = /\bgenerated\b|\/dist\/|^docs\/(?:api|rights|configuration)\.md$|^test\/words\.test\.ts$/;
const LITERALS: readonly unknown[] = ['StringLiteral', 'TemplateElement', 'RegExpLiteral'];
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

/** Comments, names and titles of tests: the code with blanks in place of all other literals. */
function withoutLiterals(text: string): string {
  // The parser counts positions in bytes from the first token on.
  const code = Buffer.from(`;${text.replace(/^#!/, '//')}`);
  const program = parseSync(code.toString(), { syntax: 'typescript' });
  const blank = ({ span, ...node }: Node, isTitle: boolean): void => {
    if (LITERALS.includes(node.type) && span !== undefined && !isTitle) {
      for (let at = span.start; at < span.end; at++) {
        if (code[at - program.span.start] !== 10) code[at - program.span.start] = 32;
      }
    }
    const isTitled = node.type === 'CallExpression' && TITLED.includes(nameOf(node.callee as Node));
    for (const [field, value] of Object.entries(node)) {
      for (const [index, inner] of ([value].flat() as (Node | null)[]).entries()) {
        if (typeof inner !== 'object' || inner === null) continue;
        const isName = isTitled && field === 'arguments' && index === 0;
        blank(inner, isTitle || (isName && TEXTS.includes((inner.expression as Node | null)?.type)));
      }
    }
  };
  blank(program as unknown as Node, false);
  return code.toString();
}

function readable(file: string, text: string): string {
  if (file.endsWith('.md')) return text;
  return file.endsWith('.yml') ? text.replace(/^[^#\n]*/gm, '') : withoutLiterals(text);
}

test('comments, names, titles of tests and documents name the actor: none says whoever, nobody, told or meant', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  const found = files.flatMap((file) => {
    const text = READ.test(file) && !UNREAD.test(file) ? readFileSync(file, 'utf8') : '';
    const lines = WORDS.test(text) ? readable(file, text).split('\n') : [];
    return lines.flatMap((line, index) => (WORDS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
  });
  expect(found).toEqual([]);
});
