import type { JSX } from 'preact';
import { claimsOfPairs } from '../../../../gate/report/idTokens.ts';
import type { Project, TrustedIssuersCreateBody } from '../../../../sdk/index.ts';
import { to } from '../../../kit/addresses.ts';
import { type Query, useAnswer, write } from '../../../kit/api.ts';
import { useForm } from '../../../kit/form/form.ts';
import { forms } from '../../../kit/form/forms.ts';
import { readFields, typedFields } from '../../../kit/form/typed.ts';
import { whoami } from '../../../kit/session.ts';
import { type Provider, readProvider } from '../../../kit/signIn.ts';
import { Snippet } from '../../../parts/Copy.tsx';
import { Field } from '../../../parts/Fields.tsx';
import { SelectField } from '../../../parts/Form.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { DescribedFields } from '../../../parts/fields/DescribedFields.tsx';
import { Loading, Trouble } from '../../../parts/Notice.tsx';
import { Foreign } from '../../../parts/Words.tsx';
import { projectOptions } from '../data.ts';

const KIND = 'kind';
const PERSONS = 'persons';
const KINDS = forms.trustedIssuers.map(({ kind, label }) => [kind, label] as const);

const SET_PROVIDER = `evalgate api PUT /v1/sign-in -d '{"issuer": "https://login.example.com", "client_id": "evalgate"}'`;

interface Props {
  readonly projects: readonly Project[] | undefined;
  readonly touched: string;
  readonly onClose: () => void;
}

interface ClaimRow {
  readonly name: string;
  readonly value: string;
}

/** Trusts jobs of one kind, or persons. What is typed for another kind is not sent. */
export function NewIssuer({ projects, touched, onClose }: Props): JSX.Element {
  const form = useForm({
    // Of a field that several kinds have, the first one's begins.
    ...Object.assign({}, ...forms.trustedIssuers.toReversed().map(({ fields }) => typedFields(fields))),
    [KIND]: KINDS[0]?.[0] ?? '',
    project: '',
  });
  const kind = form.text(KIND);
  const isOfPersons = kind === PERSONS;
  const ofKind = forms.trustedIssuers.find((one) => one.kind === kind)?.fields ?? [];
  const fields = form.isOn('everyone') ? ofKind.filter(({ name }) => name !== 'claims') : ofKind;
  // Each kind has scopes of its own.
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => {
    const chosen = forms.trustedIssuers.find((one) => one.kind === currentTarget.value);
    const { scope = '' } = typedFields(chosen?.fields ?? []);
    form.set({ [KIND]: currentTarget.value, scope, everyone: '' });
  };
  const provider = useAnswer(isOfPersons ? 'sign-in' : undefined, readProvider);
  const trust = async () => {
    const { claims, everyone, ...typed } = readFields(fields, form) as Record<string, unknown> & {
      readonly claims?: readonly ClaimRow[];
      readonly everyone?: boolean;
    };
    const project = form.text('project');
    const body: TrustedIssuersCreateBody = {
      ...typed,
      ...(isOfPersons && { for: PERSONS }),
      ...(everyone && { everyone }),
      ...(claims && {
        claims: claimsOfPairs(claims.map(({ name, value }) => [name.trim(), value.trim()])),
      }),
      ...(project && { project }),
    };
    await write((sdk) => sdk.trustedIssuers.create(body), touched);
    form.settle();
  };
  const hasFields = !isOfPersons || Boolean(provider.data);
  return (
    <FormDialog
      title="New trusted issuer"
      verb={isOfPersons ? 'Trust them' : 'Trust it'}
      action={form.action}
      act={trust}
      onClose={onClose}
      isDisabled={!hasFields}
    >
      <div class="columns">
        <Field label="Trust">
          {(id) => (
            <select id={id} value={kind} onChange={choose}>
              {KINDS.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <SelectField {...{ form, name: 'project', label: 'Project', options: projectOptions(projects) }} />
      </div>
      {isOfPersons && <OfPersons provider={provider} />}
      {hasFields && <DescribedFields form={form} fields={fields} further="" />}
    </FormDialog>
  );
}

/** Where they sign in; or, where the organisation has no provider, how one is set. */
function OfPersons({ provider: { data, problem, reload } }: { readonly provider: Query<Provider | null> }) {
  if (data === undefined)
    return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="the provider" />;
  if (data !== null) {
    return (
      <div>
        <p>
          Of <Foreign text={data.issuer} />. Their link:
        </p>
        <Snippet text={data.sign_in_url} label="Copy link" />
      </div>
    );
  }
  const redirect = location.origin + to.signedIn(whoami.value?.organisation.id ?? '');
  return (
    <div>
      <p>
        Your organisation has named no provider yet. Register this service there with the redirect URI{' '}
        <code>{redirect}</code>, then name it by the command line:
      </p>
      <Snippet text={SET_PROVIDER} label="Copy command" />
    </div>
  );
}
