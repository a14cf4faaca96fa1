import * as z from 'zod';
import { projectHeadKey, purgeKey, suiteHeadKey } from '../keys.ts';
import type { Item, Write } from '../table.ts';

/** In the heads of a suite and of its project while a push is in force that is not written out. */
const underWaySchema = z.object({
  id: z.string(),
  org_id: z.string(),
  suite_id: z.string(),
  suite_slug: z.string(),
  project_id: z.string(),
  project_slug: z.string(),
});
export type PushUnderWay = z.infer<typeof underWaySchema>;

/** Holds where no push is under way: a write would be lost in what the push is still to write. */
export const NO_PUSH = 'attribute_not_exists(push_id)';

export const pushIn = (head: Item | undefined): PushUnderWay | undefined =>
  head?.push === undefined ? undefined : underWaySchema.parse(head.push);

/** The fields of a head. */
export const underWay = (push: PushUnderWay) => ({ push, push_id: push.id });

const suiteHeadOf = ({ org_id, suite_slug, project_id }: PushUnderWay) =>
  suiteHeadKey(org_id, suite_slug, project_id);
const projectHeadOf = ({ org_id, project_slug }: PushUnderWay) => projectHeadKey(org_id, project_slug);

/** Fails when the push is finished. */
export const whileUnderWay = (push: PushUnderWay): Write => ({
  ConditionCheck: {
    Key: suiteHeadOf(push),
    ConditionExpression: 'push_id = :push',
    ExpressionAttributeValues: { ':push': push.id },
  },
});

const ended = (Key: { pk: string; sk: string }, { id }: PushUnderWay): Write => ({
  Update: {
    Key,
    UpdateExpression: 'REMOVE push, push_id',
    ConditionExpression: 'push_id = :push',
    ExpressionAttributeValues: { ':push': id },
  },
});

/** The writes that end a push, once all of its log is written. */
export const endsOf = (push: PushUnderWay) => ({
  suite: ended(suiteHeadOf(push), push),
  project: ended(projectHeadOf(push), push),
  due: { Delete: { Key: purgeKey(push.org_id, 'push', push.suite_id) } } satisfies Write,
});
