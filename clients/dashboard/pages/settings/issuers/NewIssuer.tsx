import type { JSX } from 'preact';
import { claimsOfPairs } from '../../../../gate/report/idTokens.ts';
import type { Project, TrustedIssuersCreateBody } from '../../../../sdk/index.ts';
import { write } from '../../../kit/api.ts';
import { useForm } from '../../../kit/form/form.ts';
import { forms } from '../../../kit/form/forms.ts';
import { readFields, typedFields } from '../../../kit/form/typed.ts';
import { FormButtons } from '../../../parts/Fields.tsx';
import { SelectField } from '../../../parts/Form.tsx';
import { DescribedFields } from '../../../parts/fields/DescribedFields.tsx';
import { Trouble } from '../../../parts/Notice.tsx';
import { projectOptions } from '../data.ts';

const KIND = 'kind';
const KINDS = forms.trustedIssuers.map(({ kind, label }) => [kind, label] as const);

interface Props {
  readonly projects: readonly Project[] | undefined;
  readonly touched: string;
  readonly onDone: () => void;
}

interface ClaimRow {
  readonly name: string;
  readonly value: string;
}

/** Trusts jobs of one kind. What is typed for another kind is not sent. */
export function NewIssuer({ projects, touched, onDone }: Props): JSX.Element {
  const form = useForm({
    ...Object.assign({}, ...forms.trustedIssuers.map(({ fields }) => typedFields(fields))),
    [KIND]: KINDS[0]?.[0] ?? '',
    project: '',
  });
  const fields = forms.trustedIssuers.find(({ kind }) => kind === form.text(KIND))?.fields ?? [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.action.run(async () => {
      const { claims, ...typed } = readFields(fields, form) as Record<string, unknown> & {
        readonly claims?: readonly ClaimRow[];
      };
      const project = form.text('project');
      const body: TrustedIssuersCreateBody = {
        ...typed,
        ...(claims && {
          claims: claimsOfPairs(claims.map(({ name, value }) => [name.trim(), value.trim()])),
        }),
        ...(project && { project }),
      };
      await write((sdk) => sdk.trustedIssuers.create(body), touched);
      form.settle(onDone);
    });
  };
  return (
    <form class="card is-form" onSubmit={submit} aria-label="Trust an issuer">
      <h2>Trust an issuer</h2>
      <div class="columns">
        <SelectField {...{ form, name: KIND, label: 'Trust', options: KINDS }} />
        <SelectField {...{ form, name: 'project', label: 'Project', options: projectOptions(projects) }} />
      </div>
      <DescribedFields form={form} fields={fields} further="" />
      <Trouble problem={form.action.problem} />
      <FormButtons verb="Trust it" isBusy={form.action.isBusy} onCancel={onDone} />
    </form>
  );
}
