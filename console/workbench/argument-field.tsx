import type { Recipe } from '@telecine/client';
import { type ComponentProps, useId, useState } from 'react';
import { arePlaces, placeName } from '../../packages/contract/src/domain/place.ts';
import { WithCode } from '../ui/with-code.tsx';
import styles from './argument-field.module.css';
import { argumentLabel } from './argument-label.ts';
import { rangeText } from './argument-range.ts';
import { plainValue, unitOf } from './argument-value.ts';
import { defaultWords } from './default-words.ts';
import type { Arguments } from './draft.ts';
import { argumentKey } from './field-messages.ts';
import { FieldNotes } from './field-notes.tsx';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';

type Argument = Recipe['arguments'][string];
type Value = Arguments[string];

interface Props {
  readonly name: string;
  readonly argument: Argument;
  readonly value: Value | undefined;
}

/** Arguments whose names say their unit. */
const NAMED_BY_UNIT: ReadonlySet<string> = new Set(['seconds', 'percent', 'decibels', 'fps', 'factor']);

/** A control for an argument of a recipe. If it is empty, the default applies. */
export function ArgumentField({ name, argument, value }: Props) {
  const id = useId();
  const note = useId();
  const isInvalid = useMessages(argumentKey(name)).errors.length > 0;
  const unit = unitOf(argument);
  const notes = [
    ...(unit === undefined || NAMED_BY_UNIT.has(name) ? [] : [unit]),
    ...(argument.required ? ['required'] : []),
  ];
  return (
    <div className={styles.field} data-flag={argument.type === 'flag'}>
      <label htmlFor={id}>
        {argumentLabel(name)}
        {notes.length > 0 && <span className={styles.soft}> ({notes.join(', ')})</span>}
      </label>
      <Control id={id} note={note} name={name} argument={argument} value={value} isInvalid={isInvalid} />
      <p id={note} className={styles.soft}>
        <WithCode text={`${argument.description} ${rangeText(argument)}`.trim()} />
      </p>
      <FieldNotes control={argumentKey(name)} />
    </div>
  );
}

interface ControlProps extends Props {
  readonly id: string;
  readonly note: string;
  readonly isInvalid: boolean;
}

function Control({ id, note, name, argument, value, isInvalid }: ControlProps) {
  const { change } = useDraft();
  const set = (chosen: Value | ''): void =>
    change({ do: 'set-argument', name, value: chosen === '' ? undefined : chosen });
  const common = {
    id,
    'aria-describedby': note,
    'aria-invalid': isInvalid || undefined,
    'aria-required': argument.required || undefined,
  } as const;
  switch (argument.type) {
    case 'choice': {
      const choices = Object.keys(argument.choices);
      const nameOf = arePlaces(choices) ? placeName : String;
      const usual = argument.default === undefined ? defaultWords(argument.description) : nameOf(argument.default);
      return (
        <select {...common} value={String(value ?? '')} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">{usual === undefined ? '–' : `${usual} (default)`}</option>
          {choices
            .filter((choice) => choice !== argument.default)
            .map((choice) => (
              <option key={choice} value={choice}>
                {nameOf(choice)}
              </option>
            ))}
        </select>
      );
    }
    case 'flag':
      return (
        <input
          {...common}
          type="checkbox"
          checked={value === undefined ? argument.default === true : value === true || value === 'true'}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      );
    default:
      return (
        <TypedInput
          {...common}
          argument={argument}
          inputMode={argument.type === 'number' ? 'decimal' : 'text'}
          placeholder={argument.default === undefined ? hintOf(argument) : `${argument.default} (default)`}
          value={String(value ?? '')}
          onText={set}
        />
      );
  }
}

/** A field that sends the plain value of what is typed, and shows what is typed until the user leaves it. */
function TypedInput({
  argument,
  value,
  onText,
  ...field
}: ComponentProps<'input'> & {
  readonly argument: Argument;
  readonly value: string;
  readonly onText: (value: string) => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <input
      {...field}
      type="text"
      // The value can be changed elsewhere meanwhile, such as by a suggested fix.
      value={plainValue(argument, typed) === value ? typed : value}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onText(plainValue(argument, currentTarget.value));
      }}
      onBlur={() => setTyped(value)}
    />
  );
}

/** How a value is written, shown in an empty field. */
function hintOf(argument: Argument): string {
  switch (argument.type) {
    case 'time':
      return 'seconds, 1:30 or 1:02:03';
    case 'colour':
      return '#RRGGBB or a name';
    default:
      return '';
  }
}
