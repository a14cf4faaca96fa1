/** What a browser would change unseen. */
const isRounded = (source: string): boolean => {
  const value = Number(source);
  return !Number.isFinite(value) || (/^-?\d{16,}$/.test(source) && source !== `${value}`);
};

const isRoundedNumber = (word: string): boolean => /^[-\d]/.test(word) && isRounded(word);

const roundedWords = (source: string): string =>
  `${source} would be rounded to ${Number(source)}: write it as a text`;

/** For `JSON.parse`: throws for a number that a browser would change unseen. */
export function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'number' && isRounded(context?.source ?? '0'))
    throw new SyntaxError(roundedWords(context?.source ?? ''));
  return value;
}

const BLANKS = /[ \t\n\r]*/y;
const TEXT = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const OPENED_BY: Readonly<Record<string, string>> = { '}': '{', ']': '[' };
const SIGN = /[{}[\],:]/y;
/** What may come: a sign, `t` for a text, `w` for a number or another word. */
const ALLOWED = { value: '{[tw', item: '{[tw]', name: 't', member: 't}', colon: ':', end: ',]}' } as const;

const lengthAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
};

type Wanted = keyof typeof ALLOWED;

/** False where a sign closes what is not open. */
function nests(sign: string, open: string[]): boolean {
  if (sign === '{' || sign === '[') open.push(sign);
  return sign in OPENED_BY ? open.pop() === OPENED_BY[sign] : sign !== ',' || open.length > 0;
}

function wantedAfter(kind: string, wanted: Wanted, open: readonly string[]): Wanted {
  if (kind === '{') return 'member';
  if (kind === '[') return 'item';
  if (kind === ':') return 'value';
  if (kind === ',') return open.at(-1) === '{' ? 'name' : 'value';
  return kind === 't' && (wanted === 'name' || wanted === 'member') ? 'colon' : 'end';
}

/** Where a text ceases to be JSON that a browser keeps as it is: at most its length. */
function placeOfProblem(text: string): number {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  for (;;) {
    at += lengthAt(BLANKS, text, at);
    const [texts, words] = [lengthAt(TEXT, text, at), lengthAt(WORD, text, at)];
    const word = text.slice(at, at + words);
    const kind = (texts > 0 && 't') || (words > 0 && 'w') || text.slice(at, at + lengthAt(SIGN, text, at));
    const isAllowed = kind !== '' && ALLOWED[wanted].includes(kind) && nests(kind, open);
    if (!isAllowed || isRoundedNumber(word)) return at;
    wanted = wantedAfter(kind, wanted, open);
    at += texts || words || 1;
  }
}

const SHOWN = 20;

/** What is wrong with a text that should be JSON, with line and column; undefined where nothing is. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text, exactly);
    return undefined;
  } catch {
    const at = placeOfProblem(text);
    const before = text.slice(0, at).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    return `${place}: ${problemAt(text, at)}`;
  }
}

function problemAt(text: string, at: number): string {
  const word = text.slice(at, at + lengthAt(WORD, text, at));
  if (isRoundedNumber(word)) return roundedWords(word);
  const [found = ''] = text.slice(at, at + SHOWN).split(/\s/);
  if (found === '') return 'more has to come here';
  return found.startsWith('"') && lengthAt(TEXT, text, at) === 0
    ? 'this text has no closing ", or a character that JSON writes with \\'
    : `“${found}” is not expected here`;
}
