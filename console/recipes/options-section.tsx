import type { RecipeDefinition } from '@telecine/client';
import X from 'lucide-react/icons/x';
import { useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { FieldErrors, useFieldErrors } from '../ui/field-errors.tsx';
import { isAtControl } from '../ui/field-place.ts';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import { Notes, type Warning } from '../workbench/field-notes.tsx';
import { type OptionMeaning, rangeText, wordsOf } from '../workbench/option-help.ts';
import { useOptionMeanings } from '../workbench/use-option-help.ts';
import { withArgument } from './new-arguments.ts';
import {
  controlOf,
  isOption,
  type OptionGroup,
  optionGroups,
  type RecipeOption,
  withoutOption,
  withText,
} from './option-texts.ts';
import { type OptionValue, valuesOf } from './option-values.ts';
import styles from './recipes.module.css';

/** All that a recipe sets. Each value can become an argument. */
export function OptionsSection({
  definition,
  warnings,
  onChange,
  onRemove,
}: {
  readonly definition: RecipeDefinition;
  /** The warnings of the last check. Those about an option are shown at it. */
  readonly warnings: readonly Warning[];
  readonly onChange: (definition: RecipeDefinition) => void;
  readonly onRemove: (definition: RecipeDefinition, text: string) => void;
}) {
  const groups = optionGroups(definition);
  const { meaningOf } = useOptionMeanings(namesOf(groups));
  return (
    <Section variant="panel" title="Options">
      {groups.length === 0 && <p className={ink.soft}>None: the output is as its format usually is.</p>}
      {groups.map(({ title, side, options }) => (
        <div key={title} role="group" aria-label={title} className={styles.options}>
          {groups.length > 1 && <h3 className={styles.heading}>{title}</h3>}
          {options.map((option) => (
            <Option
              key={option.path.join('.')}
              option={option}
              warnings={warnings.filter(({ field = '' }) => isAtControl(field, controlOf(option.path)))}
              meaning={isOption(option) ? meaningOf(option.name, side) : undefined}
              valuesIn={(text) =>
                valuesOf(groups, option, text, isOption(option) ? meaningOf(option.name, side) : undefined)
              }
              onText={(index, text) => onChange(withText(definition, option, index, text))}
              onArgument={(index, value) => onChange(withArgument(definition, { option, index, value }))}
              onRemove={() => onRemove(withoutOption(definition, option), `Removed ${option.name}.`)}
            />
          ))}
        </div>
      ))}
    </Section>
  );
}

/** The names of the options of ffmpeg. */
export const namesOf = (groups: readonly OptionGroup[]): readonly string[] =>
  groups.flatMap(({ options }) => options.filter(isOption).map(({ name }) => name));

function Option({
  option,
  warnings,
  meaning,
  valuesIn,
  onText,
  onArgument,
  onRemove,
}: {
  readonly option: RecipeOption;
  readonly warnings: readonly Warning[];
  readonly meaning: OptionMeaning | undefined;
  /** Returns the values in a text of the option that can become arguments. */
  readonly valuesIn: (text: string) => readonly OptionValue[];
  readonly onText: (index: number, text: string) => void;
  readonly onArgument: (index: number, value: OptionValue) => void;
  readonly onRemove: () => void;
}) {
  const { name, path, texts, json } = option;
  return (
    <div className={styles.option}>
      <p>
        <code>{name}</code>
        {meaning !== undefined && (
          <span className={ink.soft}> {[wordsOf(name, meaning), rangeText(meaning)].filter(Boolean).join(' · ')}</span>
        )}
      </p>
      {json !== undefined && <code className={styles.json}>{json}</code>}
      {texts?.map((text, index) => (
        <OptionText
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts of a list are neither added nor moved here.
          key={index}
          label={texts.length === 1 ? `Value of ${name}` : `Value ${index + 1} of ${name}`}
          control={controlOf(texts.length === 1 ? path : [...path, index])}
          text={text}
          values={valuesIn(text)}
          onText={(changed) => onText(index, changed)}
          onArgument={(value) => onArgument(index, value)}
        />
      ))}
      {/* The members of an object of the request belong together. */}
      {isOption(option) && (
        <Button variant="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X />
        </Button>
      )}
      <Notes errors={[]} warnings={warnings} />
    </div>
  );
}

function OptionText({
  label,
  control,
  text,
  values,
  onText,
  onArgument,
}: {
  readonly label: string;
  /** The place of the text in the recipe, whose errors are shown here. */
  readonly control: string;
  readonly text: string;
  readonly values: readonly OptionValue[];
  readonly onText: (text: string) => void;
  readonly onArgument: (value: OptionValue) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const errors = useFieldErrors(control);
  return (
    <div className={styles.text}>
      <input
        ref={input}
        id={id}
        name={control}
        aria-label={label}
        className={styles.value}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        placeholder="no value"
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? `${id}-errors` : undefined}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      <FieldErrors id={`${id}-errors`} name={control} errors={errors} />
      {values.length > 0 && (
        <div className={styles.make}>
          {values.map((value) => (
            <Button
              key={value.from}
              variant="quiet"
              aria-label={value.part === undefined ? `Make this an argument: ${label}` : undefined}
              onClick={() => {
                onArgument(value);
                // The pressed button disappears.
                input.current?.focus();
              }}
            >
              {value.part === undefined ? 'Make this an argument' : `Make ${value.value} an argument (${value.part})`}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
