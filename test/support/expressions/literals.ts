import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** The files that contain it. */
  readonly files: readonly string[];
}

interface Found {
  readonly literals: { readonly source: string; readonly flags: string; readonly file: string }[];
  /** Files with `new RegExp(…)`. */
  readonly constructed: Set<string>;
}

/** Finds the regular expression literals of these folders by a parser. */
export function expressionsIn(folders: readonly string[]): {
  expressions: Expression[];
  constructedIn: string[];
} {
  const found: Found = { literals: [], constructed: new Set() };
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT })).sort();
  for (const file of files) {
    visit(parseSync(readFileSync(path.join(ROOT, file), 'utf8'), { syntax: 'typescript' }), file, found);
  }
  const bySource = Map.groupBy(found.literals, ({ source, flags }) => `/${source}/${flags}`);
  return {
    expressions: [...bySource.values()].map((same) => ({
      source: same[0]?.source ?? '',
      flags: same[0]?.flags ?? '',
      files: [...new Set(same.map(({ file }) => file))],
    })),
    constructedIn: [...found.constructed],
  };
}

function visit(node: unknown, file: string, found: Found): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, file, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, pattern, flags, callee } = node as Record<string, unknown>;
  if (type === 'RegExpLiteral')
    found.literals.push({ source: String(pattern), flags: String(flags ?? ''), file });
  if (type === 'NewExpression' || type === 'CallExpression') {
    if ((callee as { value?: unknown } | null)?.value === 'RegExp') found.constructed.add(file);
  }
  for (const inner of Object.values(node)) visit(inner, file, found);
}
