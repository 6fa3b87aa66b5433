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
import { type FoundValue, likelyValues, valueText, withArgument } from './new-arguments.ts';
import { optionGroups } from './option-texts.ts';
import { namesOf } from './options-section.tsx';
import { withoutArgument } from './without-argument.ts';

/**
 * Offers the values of a recipe that people change from file to file as its arguments. None is chosen: most recipes need one, and only the
 * user knows which. Nothing if there are no such values.
 */
export function ProposedArguments({
  definition,
  isSaved,
  onChange,
  onClose,
}: {
  readonly definition: RecipeDefinition;
  /** Whether the recipe was saved just now. */
  readonly isSaved: boolean;
  readonly onChange: (definition: RecipeDefinition) => void;
  readonly onClose: () => void;
}) {
  // The proposals stay in their places while the user chooses.
  const [before] = useState(definition);
  /** The names of the arguments that the chosen proposals have become. */
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const groups = optionGroups(before);
  const { meaningOf, isPending } = useOptionMeanings(namesOf(groups));
  const proposed = likelyValues(groups, meaningOf);
  const rest = likelyValues(optionGroups(definition), meaningOf);
  if (proposed.length === 0) return null;
  return (
    <Section variant="panel" title="What changes from file to file?">
      <p className={ink.soft}>
        {isSaved && 'The recipe is saved. '}
        Tick what a request can send. What it does not send stays as it is here.
      </p>
      <ul className={form.fields} aria-label="Proposed arguments">
        {proposed.map((one) => {
          const key = keyOf(one);
          const value = sameValue(rest, one);
          const name = names.get(key) ?? '';
          const isArgument = definition.arguments[name]?.default !== undefined;
          return (
            <li key={key}>
              <Check
                label={
                  <>
                    <strong>{argumentLabel(one.value.name)}</strong> {valueText(value ?? one, isPending)}
                  </>
                }
                isOn={isArgument || value === undefined}
                // Until the range of a value is known, and if the user has renamed or rewritten what it became.
                isDisabled={isPending || (!isArgument && value === undefined)}
                onChange={() => {
                  if (isArgument) onChange(withoutArgument(definition, name));
                  else if (value !== undefined) {
                    setNames(new Map(names).set(key, freeName(definition, value.value.name)));
                    onChange(withArgument(definition, value));
                  }
                }}
              />
            </li>
          );
        })}
      </ul>
      <div>
        <Button variant="quiet" onClick={onClose}>
          {names.size === 0 ? 'Not now' : 'Done'}
        </Button>
      </div>
    </Section>
  );
}

/** Where a value is. */
const keyOf = ({ option, index, value }: FoundValue): string => [...option.path, index, value.from].join('.');

/** The value in the same place of a recipe that has changed. Several settings of a text can have one name. */
function sameValue(found: readonly FoundValue[], { option, index, value }: FoundValue): FoundValue | undefined {
  const path = option.path.join('.');
  const near = found.filter(
    (one) => one.option.path.join('.') === path && one.index === index && one.value.part === value.part,
  );
  return near.find((one) => one.value.value === value.value) ?? near[0];
}
