import { useId } from 'react';
import styles from './combination-choice.module.css';
import type { Combination } from './draft.ts';
import { useDraft } from './use-draft.tsx';

const CHOICES: Readonly<Record<Combination, string>> = {
  each: 'Each by itself',
  join: 'Joined, one after the other',
  together: 'Together in one conversion',
};

/** Lets the user choose how several sources are converted. */
export function CombinationChoice({ value }: { readonly value: Combination }) {
  const { change } = useDraft();
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">These sources are converted</legend>
      {(Object.keys(CHOICES) as Combination[]).map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={value === each}
            onChange={() => change({ do: 'combine', combination: each })}
          />
          {CHOICES[each]}
        </label>
      ))}
    </fieldset>
  );
}
