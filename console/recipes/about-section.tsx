import type { RecipeDefinition } from '@telecine/client';
import { useState } from 'react';
import { Field, TextAreaField } from '../ui/field.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import styles from './recipes.module.css';

/** What a recipe is called, how it is found, and which files it writes. */
export function AboutSection({
  name,
  onName,
  definition,
  onChange,
}: {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly definition: RecipeDefinition;
  readonly onChange: (definition: RecipeDefinition) => void;
}) {
  const { title, description, words, outputs } = definition;
  return (
    <Section variant="panel" title="About the recipe">
      <div className={form.fields}>
        <div className={styles.pair}>
          <Field
            label="Title"
            name="recipe.title"
            maxLength={80}
            value={title}
            onChange={({ currentTarget }) => onChange({ ...definition, title: currentTarget.value })}
          />
          <Field
            label="Name in requests"
            name="name"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            maxLength={64}
            value={name}
            onChange={({ currentTarget }) => onName(currentTarget.value)}
          />
        </div>
        <p className={ink.soft}>Programs and watches use the recipe by its name in requests.</p>
        <TextAreaField
          label="Description"
          name="recipe.description"
          rows={2}
          maxLength={500}
          value={description}
          onChange={({ currentTarget }) => onChange({ ...definition, description: currentTarget.value })}
        />
        <ListField
          label="Search words, with commas between them"
          name="recipe.words"
          placeholder="intranet, our pages"
          values={words}
          onChange={(changed) => onChange({ ...definition, words: [...changed] })}
        />
        <ListField
          label="File types of the output, the usual one first"
          name="recipe.outputs"
          placeholder="mp4, mov"
          values={outputs}
          onChange={(changed) => onChange({ ...definition, outputs: changed.map((one) => one.replace(/^\./, '')) })}
        />
      </div>
    </Section>
  );
}

/** A field for texts with commas between them. */
function ListField({
  label,
  name,
  placeholder,
  values,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly placeholder: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  // What is typed may end with a comma. The values can be changed elsewhere, such as by an undo.
  const shown = listOf(typed).join() === values.join() ? typed : values.join(', ');
  return (
    <Field
      label={label}
      name={name}
      placeholder={placeholder}
      autoComplete="off"
      value={shown}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(listOf(currentTarget.value));
      }}
    />
  );
}

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
