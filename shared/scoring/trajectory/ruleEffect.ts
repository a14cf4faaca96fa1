import { canonicalText } from '../digest/documents.ts';
import { type Effect, gravest, ofBar, ofSets } from '../verdict/strictness.ts';
import type { Other, Pattern, Rule } from './config.ts';
import { listOf, othersOf } from './parts.ts';

/** What a change of rules does to the traces that keep them. A renamed rule is the same one. */
export function ofRules(before: readonly Rule[], after: readonly Rule[]): Effect {
  const [was, is] = [before, after].map((rules) => new Map(rules.map((rule) => [rule.name, rule])));
  const alone = (rules: readonly Rule[], otherRules = new Map<string, Rule>()): string[] =>
    rules.filter(({ name }) => !otherRules.has(name)).map(textOfRule);
  const paired = before.flatMap((rule) => {
    const other = is?.get(rule.name);
    return other === undefined ? [] : [ofRule(rule, other)];
  });
  return gravest([ofSets(alone(before, is), alone(after, was)), ...paired]);
}

/** With what has no order sorted, and what is left out as its default. */
const inNormalForm = ({ tool, except = [], assertions = [], result = [], ...rest }: Other): object => ({
  ...rest,
  tool: listOf(tool).toSorted(),
  except: listOf(except).toSorted(),
  assertions: assertions.map(canonicalText).sort(),
  result: result.map(canonicalText).sort(),
  same_step: rest.same_step === true,
  own: rest.own === true,
});

const textOfPattern = (pattern: Other): string => canonicalText(inNormalForm(pattern));
const textsOf = (some: Other | readonly Other[] | undefined): string[] | null =>
  some === undefined ? null : listOf<Other>(some).map(textOfPattern).sort();

/** What it asks for, its patterns and bound aside. */
const textOfForm = ({ before, after, never_after, at_most, sum, per = 'trace' }: Rule): string =>
  canonicalText([[before, after, never_after, at_most].map((part) => part !== undefined), sum ?? null, per]);

const textOfRule = (rule: Rule): string => {
  const { when, before, after, never_after, at_most } = rule;
  return canonicalText([[when, before, after, never_after].map(textsOf), at_most ?? null, textOfForm(rule)]);
};

function ofRule(was: Rule, is: Rule): Effect {
  if (textOfRule(was) === textOfRule(is)) return 'same';
  if (textOfForm(was) !== textOfForm(is)) return 'may be weaker';
  const isNeeded = was.never_after === undefined;
  const otherPatterns = [othersOf(was), othersOf(is)] as const;
  return gravest([
    ofPatterns(listOf<Pattern>(was.when), listOf<Pattern>(is.when), ofWidth),
    ofBar(-(was.at_most ?? 0), -(is.at_most ?? 0)),
    isNeeded ? turned(ofPatterns(...otherPatterns, ofNeeded)) : ofPatterns(...otherPatterns, ofExcluded),
  ]);
}

/** Stricter where more calls fit: one pattern for another, or a set of patterns for another. */
function ofPatterns(
  was: readonly Other[],
  is: readonly Other[],
  compare: (was: Other, is: Other) => Effect,
): Effect {
  const [before, after] = [was[0], is[0]];
  const isSole = was.length === 1 && is.length === 1;
  return isSole && before && after
    ? compare(before, after)
    : ofSets(was.map(textOfPattern), is.map(textOfPattern));
}

function ofWidth(was: Pattern, is: Pattern): Effect {
  const conditionsOf = ({ arguments: complete, arguments_include: part, failed }: Pattern): string =>
    canonicalText({ complete, part, failed });
  return oneWay([
    ofSets(listOf(was.tool), listOf(is.tool)),
    turned(ofSets(listOf(was.except ?? []), listOf(is.except ?? []))),
    turned(ofSets(was.assertions ?? [], is.assertions ?? [])),
    turned(ofSets(was.result ?? [], is.result ?? [])),
    conditionsOf(was) === conditionsOf(is) ? 'same' : 'may be weaker',
  ]);
}

/** Of what has to come: stricter where more calls do. */
const ofNeeded = (was: Other, is: Other): Effect =>
  oneWay([
    ofWidth(was, is),
    turned(ofSets(was.same ?? [], is.same ?? [])),
    ofBar(-Number(was.own === true), -Number(is.own === true)),
    ofBar(Number(was.same_step === true), Number(is.same_step === true)),
  ]);

/** Of what must not come. */
const ofExcluded = (was: Other, is: Other): Effect =>
  oneWay([
    ofWidth(was, is),
    ofSets(was.same ?? [], is.same ?? []) === 'same' ? 'same' : 'may be weaker',
    ofBar(-Number(was.same_step === true), -Number(is.same_step === true)),
  ]);

/** Of what goes both ways, or in part in a way that is not known, nothing is known: turned, `weaker` would hide it. */
function oneWay(effects: readonly Effect[]): Effect {
  const isBoth = effects.includes('stricter') && effects.includes('weaker');
  return isBoth || effects.includes('may be weaker') ? 'may be weaker' : gravest(effects);
}

const turned = (effect: Effect): Effect =>
  effect === 'stricter' ? 'weaker' : effect === 'weaker' ? 'stricter' : effect;
