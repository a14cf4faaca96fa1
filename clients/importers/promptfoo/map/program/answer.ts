import { type Expression, parse, type Statement } from 'acorn';
import type { Scope } from './scope.ts';

/** What a program answers, with the constants that it declares before. */
export interface Answer {
  readonly node: Expression;
  readonly scope: Scope;
}

const LENGTH_MAX = 10_000;
const NODES_MAX = 2_000;
const SYNTAX = { ecmaVersion: 'latest', allowReturnOutsideFunction: true } as const;

/**
 * The answer of a program, read as promptfoo does: of one line its expression, of several what they return. Undefined where
 * it does more than to declare constants and to answer, or is no program. Nothing is run.
 */
export function answerOf(text: string, vars: Scope['vars']): Answer | undefined {
  const trimmed = text.trimEnd();
  if (trimmed.length > LENGTH_MAX) return undefined;
  const scope: Scope = { names: new Map(), vars, seen: { names: new Set(), left: NODES_MAX } };
  try {
    if (trimmed.includes('\n')) return bodyAnswer(parse(trimmed, SYNTAX).body as Statement[], scope);
    if (!/^\s*(?:const|let|var)\s/.test(trimmed)) return bareAnswer(trimmed, scope);
    return lineAnswer(parse(trimmed, SYNTAX).body as Statement[], scope);
  } catch {
    // A syntax error, or a program that nests too deep.
    return undefined;
  }
}

/** Behind the `return` that is put before it. */
function bareAnswer(text: string, scope: Scope): Answer | undefined {
  const [only, ...more] = parse(`return ${text}`, SYNTAX).body.filter(
    ({ type }) => type !== 'EmptyStatement',
  );
  const node = more.length === 0 && only?.type === 'ReturnStatement' ? only.argument : undefined;
  return node ? answered({ node, scope }) : undefined;
}

/** Of a line of declarations the last expression is the answer. */
function lineAnswer(statements: readonly Statement[], scope: Scope): Answer | undefined {
  const last = statements.filter(({ type }) => type !== 'EmptyStatement').at(-1);
  const own = last && declaredBefore(last, statements, scope);
  return own && last?.type === 'ExpressionStatement'
    ? answered({ node: last.expression, scope: own })
    : undefined;
}

function bodyAnswer(statements: readonly Statement[], scope: Scope): Answer | undefined {
  const last = statements.filter(({ type }) => type !== 'EmptyStatement').at(-1);
  const own = last && declaredBefore(last, statements, scope);
  if (own === undefined) return undefined;
  if (last?.type === 'TryStatement') return triedAnswer(last, own);
  return last?.type === 'ReturnStatement' && last.argument
    ? answered({ node: last.argument, scope: own })
    : undefined;
}

/** Undefined where a statement does more than to declare constants. */
function declaredBefore(last: Statement, statements: readonly Statement[], scope: Scope): Scope | undefined {
  let own = scope;
  for (const statement of statements.slice(0, statements.indexOf(last))) {
    if (statement.type === 'EmptyStatement') continue;
    if (statement.type !== 'VariableDeclaration') return undefined;
    for (const { id, init } of statement.declarations) {
      if (id.type !== 'Identifier' || !init || own.names.has(id.name) || id.name === 'output')
        return undefined;
      own = { ...own, names: new Map([...own.names, [id.name, { node: init, scope: own }]]) };
    }
  }
  return own;
}

type Try = Extract<Statement, { type: 'TryStatement' }>;

/** To answer false is to fail, as an error is. */
function triedAnswer({ block, handler, finalizer }: Try, scope: Scope): Answer | undefined {
  const [answer, ...more] = handler?.body.body ?? [];
  const isFalse =
    answer?.type === 'ReturnStatement' &&
    answer.argument?.type === 'Literal' &&
    answer.argument.value === false;
  return isFalse && more.length === 0 && !finalizer ? bodyAnswer(block.body, scope) : undefined;
}

/** `(() => …)()` answers what its function does. */
function answered({ node, scope }: Answer): Answer | undefined {
  const called = node.type === 'CallExpression' && node.arguments.length === 0 ? node.callee : undefined;
  if (called?.type !== 'ArrowFunctionExpression' && called?.type !== 'FunctionExpression')
    return { node, scope };
  if (called.async || called.generator || called.params.length > 0) return undefined;
  return called.body.type === 'BlockStatement'
    ? bodyAnswer(called.body.body, scope)
    : answered({ node: called.body, scope });
}

/** What is declared and not looked at may fail. */
export const hasUnused = ({ scope }: Answer): boolean =>
  [...scope.names.values()].some(({ node }) => !scope.seen.names.has(node));
