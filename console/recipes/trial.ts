import type { ConversionRequest, DryRun, Recipe, RecipeDefinition } from '@telecine/client';
import { type Draft, EMPTY_DRAFT } from '../workbench/draft.ts';
import { outputWords } from '../workbench/output-words.ts';
import { requestFromDraft } from '../workbench/request-from-draft.ts';
import { suggestOutput } from '../workbench/suggest-output.ts';

/** The form of a trial: a file for each input that the recipe needs, and no arguments yet. */
export function trialDraft({ inputs }: Pick<RecipeDefinition, 'inputs'>, name: string, file = ''): Draft {
  const needed = inputs.filter(({ optional }) => optional !== true);
  return {
    ...EMPTY_DRAFT,
    inputs: needed.map((_, index) => ({ id: `input${index}`, input: index === 0 ? file : '', rows: [] })),
    preset: { name },
  };
}

/** Whether a path is that of a file. While it is typed, it ends with its folder. */
const isChosen = (path = ''): boolean => path !== '' && !path.endsWith('/');

/** Whether all files of a trial are chosen. */
export const hasFiles = ({ inputs }: Draft): boolean =>
  inputs.length > 0 && inputs.every(({ input }) => isChosen(input));

/**
 * The request of a trial. A file that is not chosen has the name of an example, so that the recipe can be checked without it. Values of
 * arguments that the recipe does not have any more are left out.
 */
export function trialRequest(definition: RecipeDefinition, name: string, trial: Draft): ConversionRequest {
  const sent = Object.entries(trial.preset?.arguments ?? {}).filter(([own]) =>
    Object.hasOwn(definition.arguments, own),
  );
  const inputs = trial.inputs.map((input, index) =>
    !isChosen(input.input) ? { ...input, input: `example${index === 0 ? '' : index + 1}.mov` } : input,
  );
  const values = Object.fromEntries(sent);
  const words = outputWords({ name, arguments: definition.arguments, request: definition.request }, values);
  const preset = { name, ...(sent.length > 0 && { arguments: values }) };
  return requestFromDraft(
    { ...trial, inputs, preset },
    suggestOutput(inputs[0]?.input, definition.outputs[0] || 'mp4', words),
  );
}

/** Warnings that say nothing about the recipe: a trial writes no file, and reads none that is not chosen. */
export const warningsOfTrial = (warnings: DryRun['warnings'], isOfFiles: boolean): DryRun['warnings'] =>
  warnings.filter(({ code }) => code !== 'OUTPUT_EXISTS' && (isOfFiles || !OF_FILES.has(code)));

const OF_FILES: ReadonlySet<string> = new Set([
  ...['INPUT_NOT_FOUND', 'INPUT_NOT_READ', 'INPUT_INVALID', 'ASSUMED_FACTS', 'ASSUMED_MEDIA'],
]);

/** A request of a program that uses the recipe, in which each argument can be seen: with the values of a trial, otherwise with the defaults. */
export function exampleRequest(definition: RecipeDefinition, name: string, trial: Draft): ConversionRequest {
  const { arguments: known, inputs, outputs } = definition;
  const files = inputs
    .filter(({ optional }) => optional !== true)
    .map(({ role }, index) => {
      const { input = '' } = trial.inputs[index] ?? {};
      return isChosen(input) ? input : index === 0 ? 'in/film.mov' : `in/${role}`;
    });
  const values = Object.entries(known).flatMap(([own, argument]) => {
    const value =
      trial.preset?.arguments?.[own] ?? argument.default ?? (argument.required ? exampleOf(argument) : undefined);
    return value === undefined ? [] : [[own, value] as const];
  });
  return {
    ...(files.length === 1 ? { input: files[0] ?? '' } : { inputs: files }),
    // As in the trial.
    output: suggestOutput(files[0], outputs[0] || 'mp4', outputWords({ ...definition, name }, trial.preset?.arguments)),
    preset: { name, ...(values.length > 0 && { arguments: Object.fromEntries(values) }) },
  };
}

/** A value that an argument allows. */
function exampleOf(argument: Recipe['arguments'][string]): string | number | boolean {
  switch (argument.type) {
    case 'number':
      return argument.min;
    case 'choice':
      return Object.keys(argument.choices)[0] ?? '';
    case 'time':
      return '10';
    case 'colour':
      return 'white';
    case 'text':
      return 'text';
    case 'flag':
      return true;
  }
}
