import { caseDigest, scorerDigest, suiteDigest } from '../../../scoring/digest/bar.ts';
import type { Sha256 } from '../../../scoring/digest/documents.ts';
import { judgeQuestionOf, withDefaults } from '../../../scoring/registry.ts';
import type { Bar } from '../../../scoring/verdict/gating.ts';
import type { ReadSuite } from '../ports.ts';
import type { JudgeModel, NameJudge } from './judgeIdentity.ts';

type Case = Omit<ReadSuite['cases'][number], 'name' | 'expected'>;
type Scorer = NonNullable<Case['scorer']>;

/** The models that a scorer's judges are, as this deployment asks them. Undefined for a scorer that asks none. */
function judgeOf(scorer: Scorer, nameJudge: NameJudge) {
  const question = judgeQuestionOf(scorer);
  return question && nameJudge(question.provider, question.model);
}

/** Each once, in the order of their names. An endpoint, which belongs to the bar's author, is left out. */
export function judgeModelsOf(scorers: Iterable<Scorer | null>, nameJudge: NameJudge): JudgeModel[] {
  const models = new Map<string, JudgeModel>();
  for (const scorer of new Set(scorers)) {
    const judge = scorer === null ? undefined : judgeOf(scorer, nameJudge);
    if (judge === undefined) continue;
    const model = judge.model?.split('|').at(-1)?.trim() ?? null;
    models.set(`${judge.provider} ${model ?? ''}`, { provider: judge.provider, model });
  }
  return [...models].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, model]) => model);
}

/** Equal for equal bars, whatever names, descriptions and order. Takes active cases one by one. */
export class SuiteDigester {
  readonly #nameJudge: NameJudge;
  readonly #scorers = new Map<string, string>();
  readonly #cases: (readonly [id: string, digest: string])[] = [];

  constructor(nameJudge: NameJudge) {
    this.#nameJudge = nameJudge;
  }

  add(evalCase: Case): void {
    const digest = caseDigest({
      ...evalCase,
      inputDigest: evalCase.input_digest,
      expectedDigest: evalCase.expected_digest,
      advisory: evalCase.advisory_until === null ? null : { expires_at: evalCase.advisory_until },
      scorerDigest: evalCase.scorer && this.#scorerDigest(evalCase.scorer),
    });
    this.#cases.push([evalCase.id, digest]);
  }

  digest(bar: Bar): Sha256 {
    return suiteDigest(bar, this.#cases);
  }

  #scorerDigest(scorer: Scorer): string {
    const known = this.#scorers.get(scorer.id);
    if (known !== undefined) return known;
    const config = withDefaults(scorer);
    const digest = scorerDigest({ ...scorer, config }, judgeOf(scorer, this.#nameJudge));
    this.#scorers.set(scorer.id, digest);
    return digest;
  }
}

export function digestOf(suite: Bar & { readonly cases: readonly Case[] }, nameJudge: NameJudge) {
  const digester = new SuiteDigester(nameJudge);
  for (const evalCase of suite.cases) digester.add(evalCase);
  return digester.digest(suite);
}
