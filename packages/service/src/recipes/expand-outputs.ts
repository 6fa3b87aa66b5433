import {
  type ConversionRequest,
  isFlagSet,
  type OutputSpec,
  type Parameters,
} from '@telecine/contract/domain/conversion.ts';
import { extension, type MediaPath, withExtension } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { RecipeDefinition, RecipeOutput } from '@telecine/contract/domain/recipe.ts';
import type { ReadArgument } from './arguments.ts';
import { chosenStreams } from './chosen-streams.ts';
import { canonicalName, fillParameters, overrideParameters, replacedOptions } from './option-overrides.ts';
import type { RecipeOrigins } from './recipe-origins.ts';
import type { Scope } from './scope.ts';

/** `read`: the arguments. `expandOutputs` adds to the other members. */
interface PartsOfRequest {
  readonly origins: RecipeOrigins;
  readonly warnings: Warning[];
  readonly errors: FieldError[];
  readonly read: ReadonlyMap<string, ReadArgument>;
}

/** The outputs of a recipe that writes several files. */
interface ExpandedOutputs {
  readonly outputs: readonly OutputSpec[];
  /** The options of the request that no output of the recipe sets. They apply to all outputs. */
  readonly shared: Parameters;
}

/**
 * Expands the outputs of a recipe. The request names the first output in `output`, or all of them in `outputs` in the order of the recipe.
 * An option in `parameters` replaces the option of the recipe in each output that sets it.
 */
export function expandOutputs(
  request: ConversionRequest,
  recipe: RecipeDefinition,
  declared: readonly RecipeOutput[],
  scope: Scope,
  { origins, warnings, errors, read }: PartsOfRequest,
): ExpandedOutputs {
  const isMute = isFlagSet(request.parameters?.['an']);
  const isBlind = isFlagSet(request.parameters?.['vn']);
  const active = declared.filter((output, index) => {
    const isEmpty = (isMute && isAudioAlone(output)) || (isBlind && isVideoAlone(output));
    return (output.when === undefined || scope.isSet(output.when)) && !(isEmpty && index > 0);
  });
  errors.push(...listErrors(request, recipe, active));
  const sent = Object.entries(request.parameters ?? {});
  const used = new Set<string>();
  const outputs = active.map((output, index): OutputSpec => {
    const listed = request.outputs?.[index];
    const own = fillParameters(output.parameters, scope);
    const names = new Set(Object.keys(own).map(canonicalName));
    // Options that remove streams apply to each output, even if one output sets the same option.
    const replacing = sent.filter(([name]) => !LEAVING_OUT.has(name) && names.has(canonicalName(name)));
    for (const [name] of replacing) used.add(name);
    const parameters = overrideParameters(overrideParameters(own, Object.fromEntries(replacing)), listed?.parameters);
    const pointer = `/outputs/${index}`;
    const options = { declared: output.parameters, filled: own };
    warnings.push(...replacedOptions(options, Object.fromEntries(replacing), recipe, scope));
    warnings.push(...replacedOptions(options, listed?.parameters ?? {}, recipe, scope, pointer));
    if (listed === undefined) origins.add(pointer, '/preset').add(`${pointer}/output`, '/output');
    for (const name of Object.keys(parameters)) {
      if (Object.hasOwn(listed?.parameters ?? {}, name)) continue;
      const [at, value] = [`${pointer}/parameters/${pointerToken(name)}`, output.parameters[name]];
      if (replacing.some(([one]) => one === name)) origins.add(at, `/parameters/${pointerToken(name)}`);
      else
        origins.addOption({
          ...{
            at,
            name,
            value,
            definition: `/request/outputs/${declared.indexOf(output)}/parameters/${pointerToken(name)}`,
          },
          // What a recipe reads is its own, whichever argument chooses it.
          ...(name === 'map' && { isOnPurpose: true, streams: chosenStreams(recipe, output.parameters, read, scope) }),
        });
    }
    const format = listed?.format ?? (index === 0 ? request.format : undefined) ?? output.format;
    return {
      output: listed?.output ?? pathOf(output, request.output ?? ''),
      ...(format !== undefined && { format }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    };
  });
  return { outputs, shared: Object.fromEntries(sent.filter(([name]) => !used.has(name))) };
}

/** Options that remove all streams of one kind. */
const LEAVING_OUT: ReadonlySet<string> = new Set(['an', 'vn', 'sn', 'dn']);

/** Whether an output contains only audio. Without an audio stream in the input, it would be empty. */
const isAudioAlone = ({ parameters }: RecipeOutput): boolean =>
  parameters['vn'] !== undefined || /^\d+:a(?::|\?|$)/.test(String(parameters['map'] ?? ''));

/** Whether an output contains only video or images. Without a video stream in the input, it would be empty. */
const isVideoAlone = ({ parameters, suffix = '' }: RecipeOutput): boolean =>
  parameters['an'] !== undefined ||
  /\.(?:jpg|png|webp|gif|avif)$/.test(suffix) ||
  /^\d+:v(?::|\?|$)/.test(String(parameters['map'] ?? ''));

/** The path of an output that the client did not name. It is next to the main output: `web/film-poster.jpg` for `web/film.mp4`. */
const pathOf = ({ suffix }: RecipeOutput, main: string): string =>
  suffix === undefined ? main : `${withoutExtension(main)}${suffix}`;

function withoutExtension(path: string): string {
  const dotted = withExtension(path as MediaPath, '');
  return dotted.endsWith('.') ? dotted.slice(0, -1) : dotted;
}

/** The errors of `outputs`: a wrong number of outputs, or wrong extensions. */
function listErrors(
  { outputs }: ConversionRequest,
  { name }: RecipeDefinition,
  active: readonly RecipeOutput[],
): readonly FieldError[] {
  if (outputs === undefined) return [];
  const roles = active.map(({ role }) => role).join(', ');
  if (outputs.length !== active.length)
    return [
      {
        field: '/outputs',
        code: 'OTHER_COUNT',
        message: `The recipe "${name}" writes ${active.length} outputs here: ${roles}. The request has ${outputs.length}.`,
      },
    ];
  return active.slice(1).flatMap(({ role, suffix = '' }, at): FieldError[] => {
    const { output = '', format } = outputs[at + 1] ?? {};
    const wanted = extension(`x${suffix}` as MediaPath);
    if (format !== undefined || sameExtension(extension(output as MediaPath), wanted)) return [];
    return [
      {
        field: `/outputs/${at + 1}/output`,
        code: 'OTHER_EXTENSION',
        message: `The output "${role}" of the recipe "${name}" is a .${wanted}, and the request names "${output}". The order of outputs: ${roles}.`,
        allowed: [`.${wanted}`],
      },
    ];
  });
}

const sameExtension = (one: string, other: string): boolean =>
  one.toLowerCase().replace('jpeg', 'jpg') === other.replace('jpeg', 'jpg');
