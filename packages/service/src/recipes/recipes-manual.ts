import type { Recipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import { BUILT_IN_FAMILIES } from './built-in/all.ts';

/** Returns the text of docs/recipes.md. */
export function recipesManual(): string {
  const families = Object.entries(BUILT_IN_FAMILIES);
  return [
    HEAD,
    ...families.map(([title, recipes]) =>
      [
        ...[`## ${title}`, '', '| name | what it does | keeps |', '|---|---|---|'],
        ...recipes.map((recipe) => `| [\`${recipe.name}\`](#${recipe.name}) | ${recipe.title} | ${keptText(recipe)} |`),
      ].join('\n'),
    ),
    ...families.flatMap(([, recipes]) => recipes.map(recipeText)),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const HEAD = `# Recipes

A recipe is a conversion by name, with typed arguments. \`preset\` in a request applies one:

\`\`\`json
{"input": "in.mov", "output": "out.mp4", "preset": {"name": "target-size", "arguments": {"size": 8}}}
\`\`\`

How presets and \`parameters\` combine, and how to find a recipe: [use a recipe](api/recipes.md). This page lists the recipes of the
service. It is generated from the catalogue by \`npm run docs\`. What a recipe keeps, it keeps where the container can hold it; \`sound\` is
the default track.`;

/** What a recipe keeps, where all sound includes the default track. */
const keptText = ({ result: { keeps } = { keeps: [] } }: Recipe): string =>
  keeps
    .filter((one) => one !== 'sound' || !keeps.includes('all-sound'))
    .map((one) => one.replace('-', ' '))
    .join(', ');

function recipeText(recipe: Recipe): string {
  const { name, version, description, inputs, outputs, arguments: own } = recipe;
  const roles = inputs.map(
    ({ role, optional, many, description: about }) =>
      `\`${role}\`${many === true ? ' (any number)' : optional === true ? ' (optional)' : ''}: ${about}`,
  );
  const besides = (recipe.request.outputs ?? [])
    .slice(1)
    .map(({ suffix, description: about }) => `- Beside it: \`${suffix}\`: ${about}`);
  const rows = Object.entries(own).map(
    ([argument, about]) => `| \`${argument}\` | ${valuesOf(about)} | ${defaultOf(about)} | ${about.description} |`,
  );
  return [
    `### ${name}`,
    `${description} Version ${version}.`,
    [`- Inputs: ${roles.join(' ')}`, `- Output: ${outputs.map((one) => `\`.${one}\``).join(', ')}`, ...besides].join(
      '\n',
    ),
    ...(rows.length === 0 ? [] : [['| argument | values | default | |', '|---|---|---|---|', ...rows].join('\n')]),
  ].join('\n\n');
}

function valuesOf(argument: RecipeArgument): string {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices)
        .map((choice) => `\`${choice}\``)
        .join(' ');
    case 'number':
      return [
        argument.integer === true && 'whole number, ',
        `${argument.min} to ${argument.max}`,
        argument.unit && ` ${argument.unit}`,
        argument.cap && `, no effect above \`${argument.cap}\``,
      ]
        .filter((part) => part)
        .join('');
    case 'time':
      return [
        'time',
        argument.share && ', `middle`, or a share such as `25%`',
        argument.min && ` from ${argument.min} s`,
        argument.max && ` to ${argument.max} s`,
      ]
        .filter((part) => part)
        .join('');
    case 'colour':
      return 'colour';
    case 'text':
      return `text, at most ${argument.maxLength} characters${argument.without === undefined ? '' : `, without ${JSON.stringify(argument.without)}`}`;
    case 'flag':
      return '`true` `false`';
  }
}

const defaultOf = ({ required, default: usual }: RecipeArgument): string =>
  required === true ? 'required' : usual === undefined ? '' : `\`${usual}\``;
