import type { RecipeDefinition } from '@telecine/client';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import { argumentLabel } from '../workbench/argument-label.ts';
import { useOptionMeanings } from '../workbench/use-option-help.ts';
import { freeName } from './argument-names.ts';
import { type FoundValue, likelyValues, placeNow, valueText, withArgument } from './new-arguments.ts';
import { optionGroups } from './option-texts.ts';
import { namesOf } from './options-section.tsx';
import styles from './recipes.module.css';
import { withoutArgument } from './without-argument.ts';

/**
 * Offers the values of a recipe that people change from file to file as its arguments. None is chosen: most recipes need one, and only the
 * user knows which. Nothing if there are no such values.
 */
export function ProposedArguments({
  definition,
  onChange,
  onClose,
}: {
  readonly definition: RecipeDefinition;
  readonly onChange: (definition: RecipeDefinition) => void;
  readonly onClose: () => void;
}) {
  // The proposals stay in their places while the user chooses.
  const [before] = useState(definition);
  /** The names of the arguments that the chosen proposals have become. */
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const groups = optionGroups(before);
  const now = optionGroups(definition);
  const { meaningOf, isPending } = useOptionMeanings(namesOf(groups));
  const proposals = likelyValues(groups, meaningOf).flatMap((one) => {
    const place = placeNow(groups, now, one, meaningOf);
    const { reference = '' } = place ?? {};
    const argument = Object.hasOwn(definition.arguments, reference) ? definition.arguments[reference] : undefined;
    // What the user has removed or rewritten is no longer proposed.
    return place === undefined || (argument === undefined && place.found === undefined)
      ? []
      : [{ one, key: keyOf(one), place, argument }];
  });
  if (proposals.length === 0) return null;
  return (
    <Section variant="panel" title="What changes from file to file?">
      <p className={ink.soft}>
        Tick what each request may set. A request that does not set it gets the value here. Your ticks count once you
        save.
      </p>
      <ul className={form.fields} aria-label="Proposed arguments">
        {proposals.map(({ one, key, place: { found, reference }, argument }) => {
          // An argument that the user has renamed, or without a default, is decided where the arguments are.
          const isOurs = argument?.default !== undefined && reference === names.get(key);
          const shown = argument?.default === undefined ? undefined : { ...one, value: { ...one.value, argument } };
          return (
            <li key={key}>
              <Check
                label={
                  <>
                    <strong>{argumentLabel(one.value.name)}</strong>
                    <span className={styles.proposed}>{valueText(shown ?? found ?? one, isPending)}</span>
                  </>
                }
                isOn={argument !== undefined}
                // Until the range of a value is known.
                isDisabled={isPending || (argument !== undefined && !isOurs)}
                onChange={() => {
                  if (isOurs && reference !== undefined) onChange(withoutArgument(definition, reference));
                  else if (found !== undefined) {
                    setNames(new Map(names).set(key, freeName(definition, found.value.name)));
                    onChange(withArgument(definition, found));
                  }
                }}
              />
            </li>
          );
        })}
      </ul>
      <div>
        <Button variant="quiet" onClick={onClose}>
          {names.size === 0 ? 'None of these' : 'Done'}
        </Button>
      </div>
    </Section>
  );
}

/** Where a value is. */
const keyOf = ({ option, index, value }: FoundValue): string => [...option.path, index, value.from].join('.');
