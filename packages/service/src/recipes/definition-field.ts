import { pointerKey } from '@telecine/contract/domain/problem.ts';
import type { Recipe } from '@telecine/contract/domain/recipe.ts';

/**
 * The option of a recipe that sets a field of the request that runs, as a JSON Pointer into `{recipe, request}`: `/parameters/crf` →
 * `/recipe/request/parameters/crf`. undefined: no option of the recipe sets it, or it cannot be told which, because the request can have
 * other inputs or outputs than the recipe.
 */
export function definitionField({ inputs, request }: Recipe, field: string): string | undefined {
  const [, list, index = '', option = ''] = /^(?:\/(inputs|outputs)\/(\d+))?\/parameters\/([^/]+)/.exec(field) ?? [];
  const at = Number(index);
  const isShifted =
    list === 'outputs'
      ? request.outputs?.slice(0, at + 1).some(({ when }) => when !== undefined)
      : inputs.slice(0, at).some(({ many, optional }) => many !== undefined || optional === true);
  if (list !== undefined && isShifted === true) return undefined;
  const ofOutput = list === 'outputs' ? request.outputs?.[at]?.parameters : request.parameters;
  const options = list === 'inputs' ? inputs[at]?.parameters : ofOutput;
  if (options === undefined || !Object.hasOwn(options, pointerKey(option))) return undefined;
  const place = list === undefined ? '/request' : list === 'inputs' ? `/inputs/${index}` : `/request/outputs/${index}`;
  return `/recipe${place}/parameters/${option}`;
}
