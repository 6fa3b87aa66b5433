import { ClientError, type DryRun, type RecipeDefinition } from '@telecine/client';
import { type Dispatch, useMemo } from 'react';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import { isAtControl } from '../ui/field-place.ts';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Loading } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { ArgumentField } from '../workbench/argument-field.tsx';
import type { Change } from '../workbench/change-draft.ts';
import type { Draft } from '../workbench/draft.ts';
import { exportRequest } from '../workbench/export-request.ts';
import { missingArguments, RECIPE } from '../workbench/field-messages.ts';
import { FieldNotes, Notes } from '../workbench/field-notes.tsx';
import { errorOfRequest, messagesOfRequest } from '../workbench/messages-of-request.ts';
import { PlanView } from '../workbench/plan-view.tsx';
import { useDraft } from '../workbench/use-draft.tsx';
import type { Checked } from '../workbench/use-dry-run.ts';
import { MessagesProvider, useMessages, useOtherMessages } from '../workbench/use-messages.tsx';
import { FileField } from './file-field.tsx';
import { isAtOption, optionGroups } from './option-texts.ts';
import { RecipeCommand } from './recipe-command.tsx';
import styles from './recipes.module.css';
import { exampleRequest, hasFiles, warningsOfTrial } from './trial.ts';

type RecipeArgument = RecipeDefinition['arguments'][string];

interface Props {
  readonly definition: RecipeDefinition;
  readonly name: string;
  readonly trial: Draft;
  readonly change: Dispatch<Change>;
  readonly checked: Checked;
  /** The warnings of the trial. */
  readonly warnings: DryRun['warnings'];
  /** Whether the user may check recipes. */
  readonly mayTry: boolean;
}

/** The fragment of the address that leads to the trial. */
export const TRIAL = 'trial';

/** What the recipe would do with a file, as it is now. Nothing is converted. */
export function TrialPanel({ definition, name, trial, change, checked, warnings, mayTry }: Props) {
  const { data: session } = useSession();
  const isOfFiles = hasFiles(trial);
  const { plan, error, isOld } = checked;
  const ofRequest = useMemo(
    (): Checked => ({
      plan: plan && { ...plan, warnings: [...warningsOfTrial([...messagesOfRequest(plan.warnings)], isOfFiles)] },
      error: isOld ? null : errorOfRequest(error),
      isOld,
    }),
    [plan, error, isOld, isOfFiles],
  );
  const groups = optionGroups(definition);
  const own = warnings.filter(
    (one) => (one.field ?? '') === '' || (one.field?.startsWith('/recipe/') && !isAtOption(one, groups)),
  );
  const wrong = isOld ? [] : error instanceof ClientError ? error.errors.map(({ field }) => field) : [];
  // A default that the service rejects is not offered as one.
  const all = Object.entries(definition.arguments).map(([own, { default: usual, ...argument }]) => {
    const isWrong = wrong.some((field) => isAtControl(field, `recipe.arguments.${own}.default`));
    return [own, (isWrong ? argument : { default: usual, ...argument }) as RecipeArgument] as const;
  });
  const { draft } = useDraft();
  const command = exportRequest('curl', exampleRequest(definition, name, trial), {
    url: client.url,
    clientId: session?.clientId ?? '',
  });
  return (
    <MessagesProvider draft={draft} checked={ofRequest} hasStarted={false}>
      {mayTry && (
        <Section variant="panel" title="Try it" id={TRIAL}>
          <p className={ink.soft}>Shows the plan for a file of yours. No file is written.</p>
          <div className={form.fields}>
            {definition.inputs.slice(0, trial.inputs.length + 1).map((input, index) => (
              <TrialFile
                // biome-ignore lint/suspicious/noArrayIndexKey: inputs are neither added nor moved here, and their names change.
                key={index}
                label={definition.inputs.length === 1 ? 'A file to try it with' : `A file for ${input.role}`}
                index={index}
                trial={trial}
                change={change}
              />
            ))}
            {all.length > 0 && (
              <div className={styles.arguments}>
                {all.map(([own, argument]) => (
                  <ArgumentField key={own} name={own} argument={argument} value={trial.preset?.arguments?.[own]} />
                ))}
              </div>
            )}
            <TrialNotes />
          </div>
          <div role="status" aria-busy={isOld} className={ink.soft}>
            {isOld && plan !== undefined && 'Checking…'}
            {!isOld &&
              plan !== undefined &&
              (isOfFiles ? 'This is what it would do.' : 'Choose a file to see what it would do.')}
            {wrong.some((field) => field.startsWith('/recipe/')) && 'There is no plan: the recipe has an error.'}
          </div>
          {isOld && plan === undefined && error === null && <Loading />}
          <Notes errors={[]} warnings={own} />
          {plan !== undefined && isOfFiles && <PlanView plan={plan} isOld={isOld} isInvalid={error !== null} />}
        </Section>
      )}
      <Section variant="quiet" title="From a program">
        <RecipeCommand summary="Show the command that uses it" command={command} />
      </Section>
    </MessagesProvider>
  );
}

/** The field for the file of an input, with what is wrong with it. */
function TrialFile({
  label,
  index,
  trial,
  change,
}: Pick<Props, 'trial' | 'change'> & { readonly label: string; readonly index: number }) {
  const input = trial.inputs[index];
  const { errors } = useMessages(input?.id ?? '');
  return (
    <div className={form.fields}>
      <FileField
        label={label}
        value={input?.input ?? ''}
        isInvalid={errors.length > 0}
        onChange={(path) =>
          change(
            input === undefined
              ? { do: 'add-inputs', paths: [path] }
              : { do: 'change-input', id: input.id, input: { input: path } },
          )
        }
      />
      {input !== undefined && <FieldNotes control={input.id} />}
    </div>
  );
}

/** What is said about the request of the trial as a whole. */
function TrialNotes() {
  const { errors, warnings } = useMessages(RECIPE);
  const output = useMessages('output');
  const others = useOtherMessages();
  return (
    <Notes
      errors={[...errors.filter((one) => missingArguments([one]).length === 0), ...output.errors, ...others.errors]}
      warnings={[...warnings, ...output.warnings, ...others.warnings]}
    />
  );
}
