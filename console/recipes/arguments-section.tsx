import type { Recipe, RecipeDefinition } from '@telecine/client';
import X from 'lucide-react/icons/x';
import { Fragment, type Ref, useState } from 'react';
import { ARGUMENT_UNITS, type ArgumentUnit } from '../../packages/contract/src/domain/recipe.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import fieldStyles from '../ui/field.module.css';
import { Field } from '../ui/field.tsx';
import { FieldErrors, useFieldErrors } from '../ui/field-errors.tsx';
import { isAtControl } from '../ui/field-place.ts';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import { argumentLabel } from '../workbench/argument-label.ts';
import { renamed, takenNames, usesName } from './argument-names.ts';
import { type ArgumentType, numberOf, retyped, TYPES, withMember } from './argument-types.ts';
import { NameField } from './name-field.tsx';
import { optionGroups } from './option-texts.ts';
import styles from './recipes.module.css';
import { withoutArgument } from './without-argument.ts';

type Argument = Recipe['arguments'][string];

/** The arguments of a recipe: what may change from file to file. */
export function ArgumentsSection({
  heading,
  definition,
  onChange,
  onRemove,
  onRename,
}: {
  readonly heading: Ref<HTMLHeadingElement>;
  readonly definition: RecipeDefinition;
  readonly onChange: (definition: RecipeDefinition) => void;
  readonly onRemove: (definition: RecipeDefinition, text: string) => void;
  readonly onRename: (from: string, to: string) => void;
}) {
  const all = Object.entries(definition.arguments);
  return (
    <Section variant="panel" title="Arguments" heading={heading}>
      {all.length === 0 && (
        <p className={ink.soft}>
          None: each file is converted alike. Make a value of the options an argument, and it can change from file to
          file.
        </p>
      )}
      {all.map(([name, argument]) => (
        <ArgumentEditor
          key={name}
          name={name}
          argument={argument}
          uses={usesOf(definition, name)}
          taken={takenNames(definition)}
          onChange={(changed) =>
            onChange({
              ...definition,
              arguments: { ...definition.arguments, [name]: changed } as RecipeDefinition['arguments'],
            })
          }
          onRename={(to) => {
            onRename(name, to);
            onChange(renamed(definition, name, to));
          }}
          onRemove={() =>
            onRemove(
              withoutArgument(definition, name),
              `${argumentLabel(name)} is not an argument any more${argument.default === undefined ? '.' : `: it is always ${argument.default}.`}`,
            )
          }
        />
      ))}
    </Section>
  );
}

/** The names of the options that use an argument. */
const usesOf = (definition: RecipeDefinition, name: string): readonly string[] => {
  const options = optionGroups(definition).flatMap((group) => group.options);
  return options
    .filter(({ texts, json = '' }) => (texts ?? [json]).some((text) => usesName(text, name)))
    .map((option) => option.name);
};

/** The members of an argument that have a control each, which shows its errors. */
const MEMBERS = ['description', 'min', 'max', 'default', 'choices', 'maxLength', 'without'] as const;

interface EditorProps {
  readonly name: string;
  readonly argument: Argument;
  readonly uses: readonly string[];
  readonly taken: ReadonlySet<string>;
  readonly onChange: (argument: Argument) => void;
  readonly onRename: (to: string) => void;
  readonly onRemove: () => void;
}

function ArgumentEditor({ name, argument, uses, taken, onChange, onRename, onRemove }: EditorProps) {
  const place = `recipe.arguments.${name}`;
  const { type } = argument;
  const set = (member: string, value: unknown): void => onChange(withMember(argument, member, value));
  return (
    <div role="group" aria-label={argumentLabel(name)} className={styles.argument}>
      <div className={styles.line}>
        <NameField label="Name" field={`${place}.name`} name={name} taken={taken} onRename={onRename} />
        <div className={fieldStyles.field}>
          <label htmlFor={`${place}-type`}>Type</label>
          <select
            id={`${place}-type`}
            value={type}
            onChange={({ currentTarget }) => onChange(retyped(argument, currentTarget.value as ArgumentType))}
          >
            {TYPES.map((one) => (
              <option key={one.type} value={one.type}>
                {one.name}
              </option>
            ))}
          </select>
        </div>
        <Button variant="quiet" aria-label={`Remove the argument ${argumentLabel(name)}`} onClick={onRemove}>
          <X />
        </Button>
      </div>
      <Field
        label="Description"
        name={`${place}.description`}
        maxLength={500}
        value={argument.description}
        onChange={({ currentTarget }) => set('description', currentTarget.value)}
      />
      <Values place={place} argument={argument} set={set} />
      <div className={form.inline}>
        {argument.default === undefined && (
          <Check
            label="Must be sent"
            isOn={argument.required === true}
            onChange={(isOn) => set('required', isOn ? true : undefined)}
          />
        )}
        {type === 'number' && (
          <Check
            label="Whole numbers only"
            isOn={argument.integer === true}
            onChange={(isOn) => set('integer', isOn ? true : undefined)}
          />
        )}
      </div>
      <p className={ink.soft}>
        {uses.length === 0 ? (
          'No option uses it.'
        ) : (
          <>
            Sets{' '}
            {uses.map((one, index) => (
              <Fragment key={one}>
                {index > 0 && ', '}
                <code>{one}</code>
              </Fragment>
            ))}
            .{argument.default === undefined && argument.required !== true && ' Left out if it is not sent.'}
          </>
        )}
      </p>
      <WholeErrors place={place} />
    </div>
  );
}

/** The errors of an argument that none of its controls shows. */
function WholeErrors({ place }: { readonly place: string }) {
  const errors = useFieldErrors(place).filter(
    ({ field }) => !MEMBERS.some((member) => isAtControl(field, `${place}.${member}`)),
  );
  return <FieldErrors id={`${place}-errors`} name={undefined} errors={errors} />;
}

interface ValuesProps {
  readonly place: string;
  readonly argument: Argument;
  readonly set: (member: string, value: unknown) => void;
}

/** Which values an argument can have, and which it has if none is sent. */
function Values({ place, argument, set }: ValuesProps) {
  const text = (member: string, label: string, value: string | undefined, placeholder = '') => (
    <Field
      label={label}
      name={`${place}.${member}`}
      placeholder={placeholder}
      autoComplete="off"
      value={value ?? ''}
      onChange={({ currentTarget }) => set(member, currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
  const number = (member: string, label: string, value: number | undefined) => (
    <NumberField label={label} name={`${place}.${member}`} value={value} onChange={(changed) => set(member, changed)} />
  );
  switch (argument.type) {
    case 'number':
      return (
        <div className={styles.line}>
          {number('min', 'From', argument.min)}
          {number('max', 'To', argument.max)}
          {number('default', 'Default', argument.default)}
          <UnitField place={place} unit={argument.unit} set={set} />
        </div>
      );
    case 'time':
      return (
        <div className={styles.line}>
          {number('min', 'From (seconds)', argument.min)}
          {number('max', 'To (seconds)', argument.max)}
          {text('default', 'Default', argument.default, 'seconds or 1:30')}
        </div>
      );
    case 'choice':
      return <Choices place={place} argument={argument} set={set} />;
    case 'text':
      return (
        <div className={styles.line}>
          {number('maxLength', 'Most characters', argument.maxLength)}
          {text('default', 'Default', argument.default)}
        </div>
      );
    case 'colour':
      return text('default', 'Default', argument.default, '#RRGGBB or a name');
    case 'flag':
      return (
        <Check
          label="Yes if it is not sent"
          isOn={argument.default === true}
          onChange={(isOn) => set('default', isOn)}
        />
      );
  }
}

/** The unit of a number, which people may write behind it. */
function UnitField({
  place,
  unit,
  set,
}: Pick<ValuesProps, 'place' | 'set'> & { readonly unit: ArgumentUnit | undefined }) {
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={`${place}-unit`}>Unit</label>
      <select
        id={`${place}-unit`}
        value={unit ?? ''}
        onChange={({ currentTarget }) => set('unit', currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        <option value="">None</option>
        {ARGUMENT_UNITS.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A field for a number. It shows what is typed, also while that is no number. */
function NumberField({
  label,
  name,
  value,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: number | string | undefined) => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Field
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      // The value can be changed elsewhere meanwhile, such as by a suggested fix.
      value={numberOf(typed) === value ? typed : String(value ?? '')}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(numberOf(currentTarget.value));
      }}
    />
  );
}

/** The choices of an argument: what is sent, and the text that it puts into the options. */
function Choices({
  place,
  argument: { choices, default: usual },
  set,
}: Omit<ValuesProps, 'argument'> & { readonly argument: Extract<Argument, { readonly type: 'choice' }> }) {
  const [added, setAdded] = useState('');
  const name = added.trim();
  const add = (): void => {
    if (name === '' || Object.hasOwn(choices, name)) return;
    set('choices', { ...choices, [name]: name });
    setAdded('');
  };
  return (
    <>
      <p className={ink.soft}>Each choice, and what it puts into the options:</p>
      <ul className={styles.choices} aria-label="Choices">
        {Object.entries(choices).map(([choice, text]) => (
          <li key={choice} className={styles.choice}>
            <Field
              label={choice}
              name={`${place}.choices.${choice}`}
              spellCheck={false}
              autoComplete="off"
              value={text}
              onChange={({ currentTarget }) => set('choices', { ...choices, [choice]: currentTarget.value })}
            />
            <Button
              variant="quiet"
              aria-label={`Remove the choice ${choice}`}
              disabled={choice === usual}
              onClick={() => {
                const { [choice]: _, ...others } = choices;
                set('choices', others);
              }}
            >
              <X />
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.choice}>
        <Field
          label="Another choice"
          autoComplete="off"
          maxLength={64}
          value={added}
          onChange={({ currentTarget }) => setAdded(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') add();
          }}
        />
        <Button disabled={name === '' || Object.hasOwn(choices, name)} onClick={add}>
          Add
        </Button>
      </div>
      <div className={fieldStyles.field}>
        <label htmlFor={`${place}-default`}>Default</label>
        <select
          id={`${place}-default`}
          value={usual ?? ''}
          onChange={({ currentTarget }) => set('default', currentTarget.value === '' ? undefined : currentTarget.value)}
        >
          <option value="">None</option>
          {Object.keys(choices).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
