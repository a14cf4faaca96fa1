import { escaped, foldedPattern } from '../../imports/escaped.ts';
import { type Program, readProgram } from './program.ts';
import type { TextCheck } from './programChecks.ts';
import { holding, matching } from './texts.ts';
import { type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const OTHER: Mapped = { why: 'a program that does more than to compare the output, or parts of it' };

/** A program that compares the output, or parts of it, with what it says itself is read, and never run. */
export const javascript: Mapping = ({ value, isNegated, threshold, vars }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string') return OTHER;
  if (threshold !== undefined) return { why: 'a program with a threshold' };
  const program = readProgram(value.trimEnd(), vars);
  return (program && scorerOf(program)) ?? OTHER;
};

function scorerOf({ checks, isAny }: Program): Mapped | undefined {
  const texts = checks.flatMap((check) => ('assertions' in check ? [] : [check]));
  if (texts.length === checks.length)
    return singleText(texts) ?? textList(texts, isAny) ?? ahead(texts, isAny);
  if (texts.length > 0 || isAny) return undefined;
  const read = checks.flatMap((check) => ('assertions' in check ? [check] : []));
  return {
    scorer: { type: 'json_path', config: { assertions: read.flatMap(({ assertions }) => assertions) } },
    differences: [...new Set(read.flatMap(({ differences }) => differences))],
  };
}

function singleText([check, ...more]: readonly TextCheck[]): Mapped | undefined {
  if (check === undefined || more.length > 0) return undefined;
  if ('holds' in check) return holding([check.holds], check.isNot ? 'none' : 'all', check);
  if ('pattern' in check) return matching(check.pattern, check.flags, !check.isNot);
  return check.isNot
    ? matching(`^${escaped(check.equals)}$`, '', false)
    : { scorer: { type: 'exact_match', config: {} }, expected: check.equals };
}

/** All of these texts, any, or none. */
function textList(checks: readonly TextCheck[], isAny: boolean): Mapped | undefined {
  const held = checks.flatMap((check) => ('holds' in check ? [check] : []));
  const [first] = held;
  const isSame = held.every(({ isFolded, isNot }) => isFolded === first?.isFolded && isNot === first.isNot);
  if (first === undefined || !isSame || held.length < checks.length || (isAny && first.isNot))
    return undefined;
  return holding(
    held.map(({ holds }) => holds),
    first.isNot ? 'none' : isAny ? 'any' : 'all',
    first,
  );
}

/** One pattern that looks ahead for each check. */
function ahead(checks: readonly TextCheck[], isAny: boolean): Mapped | undefined {
  const flags = new Set(checks.map((check) => ('flags' in check ? check.flags : '')));
  const [only = ''] = flags;
  const sources = checks.map(sourceOf);
  // Flags would change what the other checks ask. Groups of several patterns would be counted together.
  if (flags.size > 1 || only.includes('m') || sources.includes(undefined)) return undefined;
  const parts = sources.map((source, index) => `(?${checks[index]?.isNot ? '!' : '='}${source})`);
  return matching(`^${isAny ? `(?:${parts.join('|')})` : parts.join('')}`, only, true);
}

function sourceOf(check: TextCheck): string | undefined {
  if ('equals' in check) return `${escaped(check.equals)}$`;
  if ('holds' in check) {
    const text = check.isFolded ? foldedPattern(check.holds) : escaped(check.holds);
    return text && `[^]*?${text}`;
  }
  return /\\(?:[1-9]|k<)/.test(check.pattern) ? undefined : `[^]*?(?:${check.pattern})`;
}
