/**
 * What may belong to a number: a sign, a currency behind it, a point, digits with letters that touch them, one mark between
 * two digits, and a percent or prime sign. Letters of scripts without case, such as Chinese, touch numbers in prose.
 */
const NUMBER =
  /(?:(?<![\p{L}\p{M}\p{N}])[\p{Pd}+±−]\p{Sc}?)?(?:(?<![\p{L}\p{M}\p{N}])\.)?[\p{Lu}\p{Ll}\p{M}\p{N}]+(?:(?<=\p{N})[\p{P}\p{Sm}\p{Sk}](?=\p{N})[\p{Lu}\p{Ll}\p{M}\p{N}]+)*(?:(?<=\p{N})\s?[%‰‱٪﹪％′-‴])?/gu;

/** The numbers of a text as they are written, in their order: `1,000` and `1000` are two. Takes linear time. */
export const numbersIn = (text: string): string[] =>
  (text.match(NUMBER) ?? [])
    .filter((run) => /\p{N}/u.test(run))
    .map((number) => number.replace(/[\s\p{Sc}]/gu, '').replace(/[\p{Pd}−]/gu, '-'));
