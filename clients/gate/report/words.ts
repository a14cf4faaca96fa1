/** A sentence that knows which of its words are not ours. */
export interface Words {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
}

/** The values of the template are foreign. */
export const say = (ownTexts: TemplateStringsArray, ...foreign: readonly string[]): Words => ({
  own: [...ownTexts],
  foreign,
});

/** Words of ours only. */
export const plain = (text: string): Words => ({ own: [text], foreign: [] });

export function joined(sentences: readonly Words[], separator: string): Words {
  const [first = plain(''), ...otherSentences] = sentences;
  return otherSentences.reduce(
    (before, after) => ({
      own: [
        ...before.own.slice(0, -1),
        `${before.own.at(-1) ?? ''}${separator}${after.own[0] ?? ''}`,
        ...after.own.slice(1),
      ],
      foreign: [...before.foreign, ...after.foreign],
    }),
    first,
  );
}

/** The sentence in a place whose escape is given. */
export const written = ({ own: ownTexts, foreign }: Words, harmless: (text: string) => string): string =>
  ownTexts
    .map((text, index) => text + (index < foreign.length ? harmless(foreign[index] ?? '') : ''))
    .join('');
