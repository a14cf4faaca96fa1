import { parseSync } from '@swc/core';

interface Node extends Readonly<Record<string, unknown>> {
  readonly span?: { readonly start: number; readonly end: number };
}

/**
 * JavaScript whose calls of `described` have lost the words for people: forms are drawn from them, functions read none.
 * Without them and without the copies of schemas that carry them, bundles are 5 kB smaller.
 */
export function withoutWords(code: string): string {
  if (!code.includes('described(')) return code;
  // The parser counts positions in bytes from the first token on.
  const bytes = Buffer.from(`;${code}`);
  const program = parseSync(bytes.toString(), { syntax: 'ecmascript' });
  const cuts: [from: number, to: number][] = [];
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && (node.callee as Node).value === 'described') {
      const ends = (node.arguments as { readonly expression: Node }[]).map(
        ({ expression }) => (expression.span?.end ?? 0) - program.span.start,
      );
      cuts.push([ends[0] ?? 0, ends[1] ?? 0]);
    }
    for (const inner of Object.values(node).flat()) {
      if (typeof inner === 'object' && inner !== null) visit(inner as Node);
    }
  };
  visit(program as unknown as Node);
  const sorted = cuts.toSorted(([one], [other]) => one - other);
  let kept = '';
  let end = 1;
  for (const [from, to] of sorted) {
    kept += bytes.subarray(end, from).toString();
    end = to;
  }
  return kept + bytes.subarray(end).toString();
}
