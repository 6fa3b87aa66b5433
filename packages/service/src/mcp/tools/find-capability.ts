import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import type { ListedRecipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import { notOffered } from '@telecine/contract/domain/unsupported-tasks.ts';
import { readCommand } from '@telecine/ffmpeg/command/read-command.ts';
import { z } from 'zod';
import { CAPABILITY_KINDS } from '../capabilities/capability-item.ts';
import { fitJson } from '../results/output-links.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';
import { findCapabilities, namesOfKinds, rejectUnused } from './capability-search.ts';

/** The maximum length of a result in characters. */
const MAX_CHARACTERS = 3500;
/** `FOUND`: how many found recipes are described. `NAMED`: how many further ones are listed by name only. */
const FOUND = 2;
const NAMED = 6;

const input = z.strictObject({
  query: z.string().min(1).max(200).exactOptional(),
  name: z.string().min(1).max(100).exactOptional(),
  kind: z.enum(['recipes', ...CAPABILITY_KINDS]).default('recipes'),
  use: z.enum(['input', 'output']).exactOptional(),
  of: z.string().min(1).max(100).exactOptional(),
  limit: z.int().min(1).max(30).default(10),
  cursor: z.string().max(200).exactOptional(),
  command: z.string().min(1).max(20_000).exactOptional(),
});

export const findCapabilityTool = defineTool({
  name: 'find_capability',
  title: 'Find recipes, formats, codecs, filters and options',
  description: (
    has,
  ) => `Finds ready-made conversions for usual tasks: web video, size limits, GIF, thumbnails, HLS, subtitles, loudness, podcasts, watermarks, and more. Look here before you write ffmpeg options.
- {"query": "make it fit in 8 MB"} in plain words returns the best recipes, with their inputs and arguments. {"name": "target-size"} returns one.${has('convert_media') ? '\n- Then call convert_media with {"input": …, "output": …, "preset": {"name": NAME, "arguments": {…}}}; several inputs as "inputs", in the order of the recipe.' : ''}
- Other kinds are what the installed ffmpeg has and this service allows: {"kind": "codecs", "query": "h264", "use": "output"}; {"kind": "filters", "name": "scale"} with ranges, defaults and named values; {"kind": "options", "of": "libx264", "query": "adaptive"} for the options of one encoder, format or filter.${has('convert_media') ? '\n- {"command": "ffmpeg -i …"} alone returns the arguments of convert_media that do the same.' : ''}`,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  argumentTexts: { cursor: '"nextCursor" of the previous page.' },
  check: async (args) => {
    rejectUnused(args);
    return { warnings: [] };
  },
  run: async (args, context) => {
    rejectUnused(args);
    const { kind, command } = args;
    if (command !== undefined) return { structured: commandAsArguments(command) };
    return {
      structured:
        kind === 'recipes' ? await findRecipes(args, context) : await findCapabilities({ ...args, kind }, context.deps),
    };
  },
});

/** Reads a command of ffmpeg. The call of the model checks it. */
function commandAsArguments(command: string): object {
  const { request, errors, leftOut } = readCommand(command);
  if (request === undefined) throw invalidRequest(errors.map(({ place: _, ...error }) => error));
  return {
    arguments: request,
    ...(leftOut.length > 0 && { leftOut: Object.fromEntries(leftOut.map(({ option, why }) => [option, why])) }),
  };
}

async function findRecipes(
  { query, name }: z.output<typeof input>,
  { deps, call: { caller } }: ToolContext,
): Promise<object> {
  const {
    recipes: matches,
    isClose,
    near,
    related,
  } = name !== undefined
    ? { recipes: [await deps.recipes.get(caller, name)], isClose: true, near: 1, related: 1 }
    : await deps.recipes.find(caller, { ...(query !== undefined && { words: query, limit: NAMED }) });
  // A list of all recipes is too long for descriptions, so it has none.
  if (name === undefined && query === undefined) return { names: matches.map((one) => one.name) };
  const shown = isClose ? fitJson(matches.slice(0, Math.min(FOUND, near)).map(describeRecipe), MAX_CHARACTERS) : [];
  const ofFfmpeg = isClose || query === undefined ? {} : await namesOfKinds(query, deps);
  return {
    recipes: shown,
    ...(name === undefined && { near: titlesOf(matches.slice(shown.length, related)) }),
    ...(Object.keys(ofFfmpeg).length > 0 && { capabilities: ofFfmpeg }),
    ...nextOf({ isClose, count: matches.length, query, best: matches[0] }, toolsOf(caller)),
  };
}

const titlesOf = (recipes: readonly ListedRecipe[]): Readonly<Record<string, string>> =>
  Object.fromEntries(recipes.map(({ name, title }) => [name, title]));

/** Returns the next step. Absent if the result says it. `found`: the result of the search. */
function nextOf(
  found: {
    readonly isClose: boolean;
    readonly count: number;
    readonly query?: string | undefined;
    readonly best: ListedRecipe | undefined;
  },
  has: HasTool,
): { readonly next?: string } {
  const write = has('convert_media') ? ' Else write the ffmpeg options: convert_media with "parameters".' : '';
  const missing = found.query === undefined ? undefined : notOffered(found.query);
  if (missing !== undefined)
    return {
      next: `${missing}${found.count === 0 ? '' : ' If one of "near" does the rest, call find_capability with its {"name": …}.'}`,
    };
  if (found.count === 0)
    return { next: `No recipe has these words: call find_capability with other words for it, in English.${write}` };
  if (!found.isClose)
    return {
      next: `If one of "near" does it, call find_capability with its {"name": …}. Queries are in English.${write}`,
    };
  if (found.best?.unavailable !== undefined)
    return { next: `"${found.best.name}" cannot run on this service now: "unavailable" says why. Tell the user.` };
  return {};
}

/** Describes a recipe for a model: its inputs and arguments in words. */
export const describeRecipe = ({
  name,
  title,
  description,
  inputs,
  outputs,
  arguments: own,
  source,
  request,
  unavailable,
}: ListedRecipe) => ({
  name,
  title,
  description,
  inputs: `${rolesText(inputs)}${takesOneAudio({ inputs, request }) ? ANOTHER_AUDIO : ''}`,
  outputs: outputs.map((one) => `.${one}`).join(' '),
  ...(request.outputs && { besides: request.outputs.flatMap(({ suffix }) => suffix ?? []).join(' ') }),
  arguments: Object.fromEntries([
    ...argumentRoles(inputs).map(({ role, description: about, optional }) => [
      role,
      `path of a file, ${optional === true ? 'optional' : 'required'}. ${about}`,
    ]),
    ...Object.entries(own).map(([argument, about]) => [argument, typeText(about)]),
  ]),
  ...(source !== 'built-in' && { source }),
  ...(unavailable !== undefined && { unavailable }),
});

/** Whether a recipe reads only one audio stream. A file may have several, and the model must choose one. */
const takesOneAudio = ({ inputs: [first, ...others], request }: Pick<ListedRecipe, 'inputs' | 'request'>): boolean =>
  first?.role === 'sound' &&
  others.length === 0 &&
  first.many !== true &&
  request.outputs === undefined &&
  request.cut === undefined &&
  request.parameters['filter_complex'] === undefined;

const ANOTHER_AUDIO = ' (one of several: "parameters": {"map": "0:a:1"} for the second)';

/** Returns the roles after a role that takes all remaining inputs. Their files can only be named by arguments. */
function argumentRoles(inputs: ListedRecipe['inputs']): ListedRecipe['inputs'] {
  const taker = inputs.findIndex(({ many }) => many === true);
  return taker < 0 ? [] : inputs.slice(taker + 1);
}

/** Formats the roles in their order: `picture, pictures… (optional), music (optional, in arguments)`. */
function rolesText(inputs: ListedRecipe['inputs']): string {
  const inArguments = argumentRoles(inputs);
  return inputs
    .map((input) => {
      const { role, optional, many } = input;
      const notes = [
        ...(optional === true ? ['optional'] : []),
        ...(inArguments.includes(input) ? ['in arguments'] : []),
      ];
      return `${role}${many === true ? '…' : ''}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
    })
    .join(', ');
}

/** Describes an argument in a few words: `number 16-4320, optional. The height in pixels.` */
function typeText(argument: RecipeArgument): string {
  const { required, default: usual, description } = argument;
  const need = required === true ? ', required' : usual === undefined ? ', optional' : `, default ${usual}`;
  return `${valuesText(argument)}${need}. ${description}`;
}

function valuesText(argument: RecipeArgument): string {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices).join(' | ');
    case 'number':
      return `${argument.integer === true ? 'integer' : 'number'} ${argument.min} to ${argument.max}${argument.unit === undefined ? '' : ` ${argument.unit}`}`;
    case 'time':
      return argument.share === true ? 'seconds, "m:ss", "middle" or "25%"' : 'seconds or "m:ss"';
    default:
      return argument.type;
  }
}
