import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { nameOf } from './argument-names.ts';
import styles from './recipes.module.css';

/** A field for the name of an argument or an input. It counts when the user leaves the field, because a name is used in other places too. */
export function NameField({
  label,
  field,
  name,
  taken,
  onRename,
}: {
  readonly label: string;
  /** The place of the name in the body of the check. */
  readonly field: string;
  readonly name: string;
  /** The names that it cannot have. */
  readonly taken: ReadonlySet<string>;
  readonly onRename: (to: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const to = nameOf(typed ?? name);
  const isTaken = to !== name && taken.has(to);
  const problem =
    typed === undefined
      ? undefined
      : to === ''
        ? 'A name begins with a letter, such as height.'
        : isTaken
          ? `There is already a ${to}. Choose another name.`
          : undefined;
  const commit = (): void => {
    setTyped(undefined);
    if (problem === undefined && to !== name) onRename(to);
  };
  return (
    <div>
      <Field
        label={label}
        name={field}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={64}
        value={typed ?? name}
        aria-invalid={problem === undefined ? undefined : true}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
        }}
      />
      <p role="status" className={problem === undefined ? 'visually-hidden' : styles.wrong}>
        {problem}
      </p>
    </div>
  );
}
