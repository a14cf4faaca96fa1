/** For `JSON.parse`: throws for a number that a browser would change unseen. */
export function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? '';
  if (isRounded(source)) throw new SyntaxError(`${source} would be rounded to ${value}: write it as a text`);
  return value;
}

const isRounded = (source: string): boolean =>
  !Number.isFinite(Number(source)) || (/^-?\d{16,}$/.test(source) && source !== `${Number(source)}`);

const BLANKS = /[ \t\n\r]*/y;
/** A text, a number, another word, or a sign. */
const TOKEN =
  /("(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|[{}[\],:]/y;

/** What may come: a sign, `t` for a text, `w` for a number or another word. */
const ALLOWED = { value: '{[tw', item: '{[tw]', name: 't', member: 't}', colon: ':', end: ',]}' } as const;
type Expected = keyof typeof ALLOWED;

function expectedAfter(kind: string, expected: Expected, open: readonly string[]): Expected {
  if (kind === '{') return 'member';
  if (kind === '[') return 'item';
  if (kind === ':') return 'value';
  if (kind === ',') return open.at(-1) === '{' ? 'name' : 'value';
  return kind === 't' && (expected === 'name' || expected === 'member') ? 'colon' : 'end';
}

/** False where a sign closes what is not open. */
function nests(kind: string, open: string[]): boolean {
  if (kind === '{' || kind === '[') open.push(kind);
  if (kind === '}' || kind === ']') return open.pop() === (kind === '}' ? '{' : '[');
  return kind !== ',' || open.length > 0;
}

/** Where a text ceases to be JSON that a browser keeps as it is: at most its length. */
function placeOfProblem(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let offset = 0; ; ) {
    BLANKS.lastIndex = offset;
    offset += BLANKS.exec(text)?.[0].length ?? 0;
    TOKEN.lastIndex = offset;
    const [token = '', string, number, word] = TOKEN.exec(text) ?? [];
    const kind = string ? 't' : number || word ? 'w' : token;
    const isAllowed = kind !== '' && ALLOWED[expected].includes(kind) && nests(kind, open);
    if (!isAllowed || (number && isRounded(number))) return offset;
    expected = expectedAfter(kind, expected, open);
    offset += token.length;
  }
}

const SHOWN = 30;

/** What is wrong with a text that should be JSON, with line and column; undefined where nothing is. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text, exactly);
    return undefined;
  } catch (error) {
    const offset = placeOfProblem(text);
    const before = text.slice(0, offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    const [shownText = ''] = text.slice(offset, offset + SHOWN).split(/\s/);
    const { message } = error as Error;
    if (message.includes(' would be rounded to ')) return `${place}: ${message}`;
    return `${place}: ${shownText === '' ? 'more has to come here' : `“${shownText}” is not expected here`}`;
  }
}
