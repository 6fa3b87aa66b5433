import type { RecipeDefinition } from '@telecine/client';
import { Fragment } from 'react';
import { Section } from '../ui/section.tsx';
import { useMedia } from '../ui/use-media.ts';
import { wordsOf } from '../workbench/option-help.ts';
import { useOptionMeanings } from '../workbench/use-option-help.ts';
import { isOption, optionGroups, type RecipeOption } from './option-texts.ts';
import { namesOf } from './options-section.tsx';
import styles from './recipes.module.css';

/** Where a long value may break: between filters, their options, and the references to arguments. */
const PART = /(?<=[,:;(\]])|(?=\[|\{\{)/;

/** All that a recipe sets, to read. */
export function RecipeSettings({ definition }: { readonly definition: RecipeDefinition }) {
  const isPhone = useMedia('(width < 48rem)');
  const groups = optionGroups(definition);
  const { meaningOf } = useOptionMeanings(namesOf(groups));
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  if (count === 0) return null;
  const all = groups.map(({ title, side, options }) => (
    <div key={title} className={styles.options}>
      {groups.length > 1 && <h3 className={styles.heading}>{title}</h3>}
      <dl className={styles.settings}>
        {options.map((option) => {
          const meaning = isOption(option) ? meaningOf(option.name, side) : undefined;
          return (
            <div key={option.path.join('.')}>
              <dt>
                <code>{option.name}</code>
                {meaning !== undefined && <span>{wordsOf(option.name, meaning)}</span>}
              </dt>
              {linesOf(option).map(({ when, text }) => (
                <dd key={when}>
                  {when !== '' && <span>{when}</span>}
                  <code>
                    {text.split(PART).map((part, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a part can be there twice, and has no state.
                      <Fragment key={at}>
                        {at > 0 && <wbr />}
                        {part}
                      </Fragment>
                    ))}
                  </code>
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </div>
  ));
  return (
    <Section variant="panel" title="Settings">
      {isPhone ? (
        <details className={styles.fold}>
          <summary>Show the {count === 1 ? 'setting' : `${count} settings`}</summary>
          {all}
        </details>
      ) : (
        all
      )}
    </Section>
  );
}

/** The value of an option in lines. Of a choice between two texts, both, and when each applies. */
function linesOf({ texts, json = '{}' }: RecipeOption): readonly { readonly when: string; readonly text: string }[] {
  if (texts !== undefined) return [{ when: '', text: texts.join('\n') || 'on' }];
  const { when, value, otherwise } = JSON.parse(json) as Readonly<Record<string, string | readonly string[]>>;
  const textOf = (one: string | readonly string[] | undefined): string => [one ?? 'left out'].flat().join('\n');
  return [
    { when: `With ${when}:`, text: textOf(value) },
    { when: 'Otherwise:', text: textOf(otherwise) },
  ];
}
