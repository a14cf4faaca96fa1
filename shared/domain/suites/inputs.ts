import { covers } from '../../contracts/base/scopes.ts';
import { AppError, invalidField } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { liveSuiteInForce } from './access/live.ts';
import { type Chains, currentOf } from './chains/chains.ts';
import { requireVersion } from './chains/versions.ts';
import type { ProjectReader, SuiteReader } from './ports.ts';

type Deps = { projects: ProjectReader; suites: SuiteReader; chains: Chains };

/** All that a program which is to answer the suite is shown of a case. */
interface CaseInput {
  /** Its key. */
  readonly case: string;
  readonly input: Record<string, unknown>;
  /** How many outputs it takes. */
  readonly samples: number;
}

interface Inputs {
  readonly items: CaseInput[];
  readonly next: string | null;
}

const CASES_AT_ONCE = 1_000;
/** Of texts; an answer holds 6 MB. */
const BYTES_AT_ONCE = 4 * 1_024 * 1_024;

/** The inputs of active cases in their order, from a cursor on: as many as fit into an answer. */
export async function listInputs(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  cursor: string | undefined,
): Promise<Inputs> {
  const suiteInForce = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const { suite } = suiteInForce.revision.fields;
  if (!suite.show_inputs && !covers(principal.scope, 'read')) throw hidden();
  const { version, from } = placeOf(cursor);
  requireVersion('suite', suite, version);
  const present = currentOf(deps.chains, principal.orgId, suiteInForce);
  const some = fitting(await present.page(from, from + CASES_AT_ONCE));
  const texts = await present.texts(some.map(({ member }) => member.number));
  const end = from + some.length;
  return {
    items: some
      .filter(({ member }) => member.row.is_active)
      .map(({ member: { number, row } }) => ({
        case: row.key,
        input: texts.get(number)?.input ?? {},
        samples: row.sample_count,
      })),
    next: end < present.count ? `${suite.version}.${end}` : null,
  };
}

const hidden = () =>
  new AppError(
    'SCOPE_REQUIRED',
    'The suite does not show its inputs to credentials of scope "run": set its show_inputs to true, or send a credential of scope "read", "suites" or "full".',
  );

/** Of one version of the suite only: a case that moves meanwhile would be left out, or come twice. */
function placeOf(cursor: string | undefined) {
  if (cursor === undefined) return { version: undefined, from: 0 };
  const [version = 0, from = 0] = cursor.split('.').map(Number);
  if (from < 1) throw invalidField('cursor', 'must be the next_cursor of an answer');
  return { version, from };
}

/** At least one. */
function fitting<Ordered extends { readonly member: { readonly bytes: number } }>(
  all: readonly Ordered[],
): readonly Ordered[] {
  let bytes = 0;
  const end = all.findIndex(({ member }, index) => {
    bytes += member.bytes;
    return index > 0 && bytes > BYTES_AT_ONCE;
  });
  return end === -1 ? all : all.slice(0, end);
}
