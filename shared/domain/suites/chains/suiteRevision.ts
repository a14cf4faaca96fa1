import { isJudged, readsExpected } from '../../../scoring/engine/judged.ts';
import type { Member } from '../../revisions/blocks.ts';
import { Current, type Ordered } from '../../revisions/current.ts';
import { numberIn } from '../../revisions/ids.ts';
import { rulesOf } from '../gates/rules.ts';
import type { SuiteSettings } from '../ports.ts';
import type { ProjectHead, SuiteHead } from '../stored.ts';
import {
  projectChain,
  type RevisionIds,
  type Revisions,
  revisionsName,
  type SuiteChain,
  suiteChain,
} from './chains.ts';
import type {
  CaseRow,
  CaseTexts,
  ProjectFields,
  ScorerRow,
  ScorerTexts,
  SuiteFields,
  SuiteSums,
} from './members.ts';
import { openCasesOf } from './members.ts';
import type { PlannedCase, RunScorer } from './plannedCase.ts';

export interface RevisionsPlace {
  readonly orgId: string;
  readonly suite: Pick<SuiteHead, 'suiteId' | 'slug' | 'projectId'>;
  readonly project: Pick<ProjectHead, 'id' | 'slug'>;
  readonly revisions: RevisionIds;
}

/** Of active cases, and exact. */
export interface RunCounts {
  readonly cases: number;
  readonly outputs: number;
  /** Outputs that a model judges, each by half of its further votes more. */
  readonly judged: number;
}

/** Positions among all cases: from one to before another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A suite with its scorers, as a run sees it at the revisions. */
export class SuiteRevision {
  readonly revisions: string;
  /** Of the two edits: no other revisions have them. */
  readonly tokens: string;
  readonly chain: SuiteChain;
  readonly place: Omit<RevisionsPlace, 'revisions'>;
  readonly #suite: Current<CaseRow, CaseTexts, SuiteFields>;
  readonly #project: Current<ScorerRow, ScorerTexts, ProjectFields>;

  private constructor(
    { revisions, ...place }: RevisionsPlace,
    currentSuite: Current<CaseRow, CaseTexts, SuiteFields>,
    currentProject: Current<ScorerRow, ScorerTexts, ProjectFields>,
  ) {
    this.revisions = revisionsName(revisions);
    this.tokens = `${revisions.suite.token}.${revisions.project.token}`;
    this.chain = suiteChain(place.orgId, place.suite);
    this.place = place;
    this.#suite = currentSuite;
    this.#project = currentProject;
  }

  static async read({ cases, scorers }: Revisions, place: RevisionsPlace): Promise<SuiteRevision> {
    const ofSuite = suiteChain(place.orgId, place.suite);
    const ofProject = projectChain(place.orgId, place.project);
    const [suite, project] = await Promise.all([
      cases.revision(ofSuite, place.revisions.suite),
      scorers.revision(ofProject, place.revisions.project),
    ]);
    return new SuiteRevision(
      place,
      new Current(cases, ofSuite, suite),
      new Current(scorers, ofProject, project),
    );
  }

  get sums(): SuiteSums {
    return this.#suite.revision.fields.sums;
  }

  get settings(): SuiteSettings {
    const { pass_threshold, gates, keep_outputs } = this.#suite.revision.fields.suite;
    return { passThreshold: pass_threshold, gates, keepOutputs: keep_outputs };
  }

  /** The branch, in full, whose runs say how the suite stands; undefined: main or master. */
  get defaultRef(): string | undefined {
    return this.#suite.revision.fields.suite.default_ref;
  }

  /** The name of the baseline that was current. */
  get baseline(): string | null {
    return this.#suite.revision.fields.suite.baseline?.current ?? null;
  }

  /** Whether its runs keep from credentials of scope `run` how cases fared. What newly fails would tell it of its baseline. */
  get hidesResults(): boolean {
    const { show_results, baseline } = this.#suite.revision.fields.suite;
    return show_results === false || baseline?.hidden === true;
  }

  /** Whether some of its runs were waived, so that a run of this moment may be. */
  hasWaivers(createdAt: string): boolean {
    return createdAt < (this.#suite.revision.fields.suite.waived_until ?? '');
  }

  async counts(): Promise<RunCounts> {
    const { active, outputs, uses } = this.sums;
    const scorers = await this.scorerRows();
    const judged = Object.entries(uses).map(
      ([id, [outputCount]]) => outputCount * openCasesOf(scorers.get(id)?.row),
    );
    return { cases: active, outputs, judged: judged.reduce((sum, openCount) => sum + openCount, 0) };
  }

  /** Of what a function holds that scores the whole suite, as JSON. */
  async textBytes(): Promise<number> {
    const used = await this.scorerRows();
    return [...used.values()].reduce((sum, { bytes }) => sum + bytes, this.sums.bytes);
  }

  /** In their order. */
  async activeCases({ from, to }: Range = this.#all): Promise<readonly Ordered<CaseRow>[]> {
    return (await this.#suite.page(from, to)).filter(({ member }) => member.row.is_active);
  }

  /** The active ones in the order of their numbers, which no new order of the suite changes. */
  async byNumber(): Promise<readonly Member<CaseRow>[]> {
    const active = (await this.activeCases()).map(({ member }) => member);
    return active.toSorted((one, other) => one.number - other.number);
  }

  /** Whether the order of the cases is that of their numbers. */
  get isByNumber(): boolean {
    return this.#suite.revision.order === undefined;
  }

  /** By id, those that active cases use. One that was deleted is not there. */
  async scorerRows(): Promise<ReadonlyMap<string, Member<ScorerRow>>> {
    const { uses } = this.sums;
    const members = await this.#project.members();
    const used = members.filter(({ row }) => (uses[row.id]?.[0] ?? 0) > 0);
    return new Map(used.map((member) => [member.row.id, member]));
  }

  /** With their configs. */
  async scorers(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, RunScorer>> {
    const members = [...(await this.scorerRows()).values()].filter(({ row }) => ids.has(row.id));
    const texts = await this.configsOf(members);
    return new Map(members.map(({ number, row }) => [row.id, scorerWith(row, texts.get(number))]));
  }

  /** By number. Those of a scorer may have been dropped. */
  configsOf(scorers: readonly Member<ScorerRow>[]): Promise<ReadonlyMap<number, ScorerTexts>> {
    return this.#project.texts(scorers.map(({ number }) => number));
  }

  /** The active cases as they are scored, with those of their texts that scorers read. */
  async cases(range: Range = this.#all): Promise<readonly PlannedCase[]> {
    const active = await this.activeCases(range);
    const scorers = await this.scorers(new Set(active.map(({ member }) => member.row.scorer_id)));
    const scorerOf = ({ row }: Member<CaseRow>) => scorers.get(row.scorer_id) ?? null;
    const readers = active.filter(({ member }) => readsExpected(scorerOf(member)));
    const texts = await this.#suite.texts(readers.map(({ member }) => member.number));
    return active.map(({ member }) => plannedWith(member, scorerOf(member), texts.get(member.number)));
  }

  /** What these cases ask and expect, by id. Those of a case may have been dropped. */
  async textsOf(ids: readonly string[]): Promise<ReadonlyMap<string, CaseTexts>> {
    const numbers = new Map(ids.map((id) => [id, numberIn(id) ?? -1]));
    const texts = await this.#suite.texts([...numbers.values()]);
    return new Map(
      [...numbers].flatMap(([id, number]) => {
        const memberTexts = texts.get(number);
        return memberTexts === undefined ? [] : [[id, memberTexts]];
      }),
    );
  }

  get #all(): Range {
    return { from: 0, to: this.#suite.count };
  }
}

function scorerWith(row: ScorerRow, texts: ScorerTexts | undefined): RunScorer {
  if (texts === undefined) throw new Error(`The config of scorer ${row.id} is gone`);
  const { id, type, dual_sided, precision_threshold, recall_threshold } = row;
  return { id, type, config: texts.config, dual_sided, precision_threshold, recall_threshold };
}

/** Of a case as no scorer sees it. */
export function plainCase({ row }: Member<CaseRow>): PlannedCase {
  const { id, name, threshold, weight } = row;
  return { id, name, input: {}, expected: null, threshold, weight, scorer: null, ...rulesOf(row) };
}

function plannedWith(
  member: Member<CaseRow>,
  scorer: RunScorer | null,
  texts: CaseTexts | undefined,
): PlannedCase {
  const planned = { ...plainCase(member), scorer };
  if (!readsExpected(scorer)) return planned;
  if (texts === undefined) throw new Error(`The texts of case ${planned.id} are gone`);
  return { ...planned, expected: texts.expected, ...(isJudged(scorer) && { input: texts.input }) };
}
