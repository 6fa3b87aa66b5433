import type { RecipeDefinition } from '@telecine/client';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { argumentLabel } from '../workbench/argument-label.ts';
import { useOptionMeanings } from '../workbench/use-option-help.ts';
import { optionGroups } from './option-texts.ts';
import { type FoundValue, likelyValues, valueText, withArguments } from './option-values.ts';
import { namesOf } from './options-section.tsx';
import styles from './recipes.module.css';

/** Offers the values of a recipe that people change from file to file as its arguments. Nothing if there are none. */
export function ProposedArguments({
  definition,
  isSaved,
  onUse,
  onClose,
}: {
  readonly definition: RecipeDefinition;
  /** Whether the recipe was saved just now. */
  readonly isSaved: boolean;
  readonly onUse: (definition: RecipeDefinition) => void;
  readonly onClose: () => void;
}) {
  const groups = optionGroups(definition);
  const { meaningOf, isPending } = useOptionMeanings(namesOf(groups));
  const found = likelyValues(groups, meaningOf);
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set());
  const wanted = found.filter((one) => !unwanted.has(keyOf(one)));
  if (found.length === 0) return null;
  const toggle = (key: string, isOn: boolean): void => {
    const changed = new Set(unwanted);
    if (isOn) changed.delete(key);
    else changed.add(key);
    setUnwanted(changed);
  };
  return (
    <Section variant="panel" title="What changes from file to file?">
      <p className={styles.soft}>
        {isSaved && 'The recipe is saved. '}
        These values can be arguments, which each request sends. Those that it does not send stay as they are here.
      </p>
      <ul className={styles.proposed} aria-label="Proposed arguments">
        {found.map((one) => (
          <li key={keyOf(one)}>
            <label className={styles.proposal}>
              <input
                type="checkbox"
                checked={!unwanted.has(keyOf(one))}
                onChange={({ currentTarget }) => toggle(keyOf(one), currentTarget.checked)}
              />
              <span>
                <strong>{argumentLabel(one.value.name)}</strong> {valueText(one, isPending)}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          variant="primary"
          disabled={wanted.length === 0 || isPending}
          onClick={() => onUse(withArguments(definition, wanted))}
        >
          {wanted.length === 1
            ? 'Make it an argument'
            : `Make ${wanted.length === 2 ? 'both' : `these ${wanted.length}`} arguments`}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Not now
        </Button>
      </div>
    </Section>
  );
}

/** Where a value is. */
const keyOf = ({ option, index, value }: FoundValue): string => [...option.path, index, value.from].join('.');
