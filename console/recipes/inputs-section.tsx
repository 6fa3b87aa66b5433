import type { RecipeDefinition } from '@telecine/client';
import { Field } from '../ui/field.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import { renamed, takenNames } from './argument-names.ts';
import { NameField } from './name-field.tsx';
import styles from './recipes.module.css';

/** The files that a recipe reads. Their paths come with each request. */
export function InputsSection({
  definition,
  onChange,
}: {
  readonly definition: RecipeDefinition;
  readonly onChange: (definition: RecipeDefinition) => void;
}) {
  const { inputs } = definition;
  return (
    <Section variant="panel" title={inputs.length === 1 ? 'The file that it reads' : 'The files that it reads'}>
      <div className={form.fields}>
        {inputs.map(({ role, description }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: inputs are neither added nor moved here, and their names change.
          <div key={index} role="group" aria-label={`Input ${index + 1}`} className={styles.pair}>
            <NameField
              label="Name"
              field={`recipe.inputs.${index}.role`}
              name={role}
              taken={takenNames(definition)}
              onRename={(to) => onChange(renamed(definition, role, to))}
            />
            <Field
              label="What it is"
              name={`recipe.inputs.${index}.description`}
              value={description}
              onChange={({ currentTarget }) =>
                onChange({
                  ...definition,
                  inputs: inputs.with(index, { ...inputs[index], role, description: currentTarget.value }),
                })
              }
            />
          </div>
        ))}
        <p className={ink.soft}>Each request sends the paths, so they are not arguments.</p>
      </div>
    </Section>
  );
}
