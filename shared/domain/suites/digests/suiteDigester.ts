import type { Sha256 } from '../../../scoring/digest/documents.ts';
import { caseDigest, scorerDigest, suiteDigest } from '../../../scoring/digest/suiteDigest.ts';
import { judgeQuestionOf, withDefaults } from '../../../scoring/registry.ts';
import type { GateSettings } from '../../../scoring/verdict/gating.ts';
import type { PlannedCase, RunScorer } from '../chains/plannedCase.ts';
import type { CaseDocuments, CaseRules } from '../gates/rules.ts';
import type { JudgeModel, NameJudge } from './judgeIdentity.ts';

type Scorer = RunScorer;
type Case = CaseRules &
  CaseDocuments &
  Pick<PlannedCase, 'id' | 'threshold' | 'weight'> & { readonly scorer: Scorer | null };

/** The models that a scorer's judges are, as this deployment asks them. Undefined for a scorer that asks none. */
function judgeOf(scorer: Scorer, nameJudge: NameJudge) {
  const question = judgeQuestionOf(scorer);
  return question && nameJudge(question.provider, question.model);
}

/** With the name by which it is sorted. An endpoint, which belongs to the bar's author, is left out. */
function namedModel({ provider, model }: ReturnType<NameJudge>): [string, JudgeModel] {
  const name = model?.split('|').at(-1)?.trim() ?? null;
  return [`${provider} ${name ?? ''}`, { provider, model: name }];
}

/** Of a scorer as this deployment asks its judges. 64 hexadecimal digits. */
export const digestOfScorer = (scorer: Scorer, nameJudge: NameJudge): string =>
  scorerDigest({ ...scorer, config: withDefaults(scorer) }, judgeOf(scorer, nameJudge));

type DigestedRules = CaseRules & CaseDocuments & Pick<PlannedCase, 'threshold' | 'weight'>;

/** 64 hexadecimal digits. `scorer`: the digest of its scorer, null for a deleted one. */
const digestOfCase = (evalCase: DigestedRules, scorer: string | null): string =>
  caseDigest({
    ...evalCase,
    inputDigest: evalCase.input_digest,
    expectedDigest: evalCase.expected_digest,
    advisory: evalCase.advisory_until === null ? null : { expires_at: evalCase.advisory_until },
    scorerDigest: scorer,
  });

/** Equal for equal bars, whatever names, descriptions and order. Takes active cases one by one. */
export class SuiteDigester {
  readonly #nameJudge: NameJudge;
  readonly #scorers = new Map<string, string>();
  readonly #cases: (readonly [id: string, digest: string])[] = [];
  readonly #judges = new Map<string, JudgeModel>();

  constructor(nameJudge: NameJudge) {
    this.#nameJudge = nameJudge;
  }

  add(evalCase: Case): void {
    const digest = digestOfCase(evalCase, evalCase.scorer && this.#scorerDigest(evalCase.scorer));
    this.#cases.push([evalCase.id, digest]);
  }

  digest(settings: GateSettings): Sha256 {
    return suiteDigest(settings, this.#cases);
  }

  /** The models of the scorers, each once, in the order of their names. */
  judges(): JudgeModel[] {
    return [...this.#judges].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, model]) => model);
  }

  #scorerDigest(scorer: Scorer): string {
    const known = this.#scorers.get(scorer.id);
    if (known !== undefined) return known;
    const judge = judgeOf(scorer, this.#nameJudge);
    const digest = digestOfScorer(scorer, this.#nameJudge);
    if (judge !== undefined) this.#judges.set(...namedModel(judge));
    this.#scorers.set(scorer.id, digest);
    return digest;
  }
}

export function digestOf(suite: GateSettings & { readonly cases: readonly Case[] }, nameJudge: NameJudge) {
  const digester = new SuiteDigester(nameJudge);
  for (const evalCase of suite.cases) digester.add(evalCase);
  return digester.digest(suite);
}
