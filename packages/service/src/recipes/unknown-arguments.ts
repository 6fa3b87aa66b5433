import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { MAX_FIELD_ERRORS } from '@telecine/contract/domain/problem.ts';
import type { Preset, RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import { argumentField } from './arguments.ts';

/** One error for each argument that the recipe does not have, and at most one more than a reply has. */
export function unknownArguments(
  { name: recipe, arguments: known, inputs }: RecipeDefinition,
  sent: NonNullable<Preset['arguments']> = {},
): readonly FieldError[] {
  const names = [...Object.keys(known), ...inputs.slice(1).map(({ role }) => role)];
  const unknown = Object.keys(sent).filter((name) => !names.includes(name));
  return unknown.slice(0, MAX_FIELD_ERRORS + 1).map((name) => ({
    field: argumentField(name),
    code: 'UNKNOWN_ARGUMENT',
    message: `The recipe "${recipe}" has no argument "${name.slice(0, 60)}". Options of ffmpeg belong in "parameters".`,
    nearest: { given: name, names, is: 'name' },
  }));
}
