import type { Recipe, RecipeDefinition } from '@telecine/client';
import { fillTemplate, quoteReference } from '../../packages/contract/src/domain/recipe-template.ts';
import { mapTemplates, replaceInFormula } from './map-templates.ts';

type Argument = Recipe['arguments'][string];
type Limits = NonNullable<RecipeDefinition['limits']>;

/**
 * Leaves out an argument: its default takes its place. Without a default, what depends on it is left out, as if it were never sent. Formulas
 * that compute with an argument without a number stay, and the check says so.
 */
export function withoutArgument(definition: RecipeDefinition, name: string): RecipeDefinition {
  const { [name]: argument, ...others } = definition.arguments;
  if (argument === undefined) return definition;
  const text = textOfDefault(argument);
  const isSet = isSetByDefault(argument, text);
  const isNumber = text !== undefined && !Number.isNaN(Number(text));
  const rest = mapTemplates(
    { ...definition, arguments: others },
    {
      inText: (template, isInGraph) => {
        // The service quotes a text that a client sends in a filtergraph, too.
        const shown = text !== undefined && isInGraph && argument.type === 'text' ? quoteReference(text) : text;
        return fillTemplate(
          template,
          (one) => (one === name ? isSet : undefined),
          (one) => (one === name ? shown : `{{${one}}}`),
        );
      },
      inCondition: (one) => (one === name ? isSet : one),
      inFormula: (formula) => (isNumber ? replaceInFormula(formula, name, `(${Number(text)})`) : formula),
    },
  );
  return { ...rest, ...(rest.limits && { limits: limitsWithout(rest.limits, name) }) };
}

/** The text that an argument has in options if it is not sent. undefined: it has none. */
function textOfDefault(argument: Argument): string | undefined {
  if (argument.default === undefined) return undefined;
  if (argument.type === 'choice') return argument.choices[argument.default] ?? argument.default;
  const text = String(argument.default);
  return argument.type === 'time' ? secondsText(text) : text;
}

/** Whether the service counts a default as set. A number of 0 is not, also that of a choice; a time of 0 is. */
function isSetByDefault(argument: Argument, text: string | undefined): boolean {
  if (argument.type === 'choice') return text !== undefined && !/^-?0+(?:\.0+)?$/.test(text);
  return argument.type === 'time' ? text !== undefined : Boolean(argument.default);
}

/** `90` of `1:30`, as the service fills in times. */
const secondsText = (time: string): string =>
  /^(?:\d+:){1,2}\d+(?:\.\d+)?$/.test(time)
    ? String(time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0))
    : time;

/** The limits of the other arguments, without formulas that still need the removed one. */
const limitsWithout = (limits: Limits, name: string): Limits =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([limited, { min, max, ...rest }]) => {
      const bounds = Object.entries({ min, max }).filter(
        ([, formula = '']) => formula !== '' && replaceInFormula(formula, name, '') === formula,
      );
      return limited === name || bounds.length === 0 ? [] : [[limited, { ...rest, ...Object.fromEntries(bounds) }]];
    }),
  );
