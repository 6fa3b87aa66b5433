import type { ConversionRequest, Recipe, RecipeDefinition } from '@telecine/client';
import { allSettings } from '../../packages/contract/src/domain/analysis.ts';
import { type Cut, isMeasured, isOfScenes, measuredBy } from '../../packages/contract/src/domain/cut.ts';
import { definedMembers } from '../../packages/contract/src/domain/defined.ts';
import { argumentLabel } from './argument-label.ts';

type Input = NonNullable<ConversionRequest['inputs']>[number];

/** The members of a request that a recipe can contain. */
export type RecipeSource = Pick<
  ConversionRequest,
  | ('input' | 'inputs' | 'output' | 'outputs' | 'format' | 'join' | 'parameters' | 'preset')
  | ('quality' | 'ladder' | 'transcribe' | 'frameSize' | 'thumbnailTrack' | 'cut')
>;

type RecipeRequest = RecipeDefinition['request'];

/** The settings of a request, as the texts that a recipe has for them. */
const settingsOf = ({
  quality,
  ladder,
  transcribe,
  frameSize,
  thumbnailTrack,
  cut,
}: RecipeSource): Partial<RecipeRequest> =>
  definedMembers<Partial<RecipeRequest>>({
    quality: quality && { target: String(quality.target) },
    ladder:
      ladder &&
      definedMembers<NonNullable<RecipeRequest['ladder']>>({
        target: String(ladder.target),
        maxRungs: ladder.maxRungs?.toString(),
        maxBitrate: ladder.maxBitrate?.toString(),
      }),
    transcribe: transcribe && { language: transcribe.language ?? 'auto' },
    frameSize,
    thumbnailTrack: thumbnailTrack && {
      everySeconds: String(thumbnailTrack.everySeconds),
      durationSeconds: String(thumbnailTrack.durationSeconds),
      columns: String(thumbnailTrack.columns),
      rows: String(thumbnailTrack.rows),
    },
    cut: cut && cutOf(cut as Cut),
  });

/** A cut by what the job finds. undefined: its parts are times of one file. */
function cutOf(cut: Cut): RecipeRequest['cut'] {
  const { silence, scenes } = allSettings(measuredBy(cut) ?? {});
  const crossfade = cut.crossfade === undefined ? {} : { crossfade: String(cut.crossfade) };
  if (isMeasured(cut.remove) && cut.remove.silence !== undefined)
    return {
      remove: {
        silence: { noiseDb: String(silence.noiseDb), minSeconds: String(silence.minSeconds) },
        marginSeconds: String(cut.remove.marginSeconds ?? 0),
      },
      ...crossfade,
    };
  if (!isOfScenes(cut.keep)) return undefined;
  const { count, partSeconds } = cut.keep;
  return {
    keep: { scenes: { threshold: String(scenes.threshold) }, count: String(count), partSeconds: String(partSeconds) },
    ...crossfade,
  };
}

/** Members of a request that say how it runs, and not what it makes. */
const OF_RUN: ReadonlySet<string> = new Set<keyof ConversionRequest>([
  ...(['after', 'callbackUrl', 'expiresAfterSeconds', 'llmId', 'metadata', 'priority', 'strict'] as const),
]);

const KEPT: ReadonlySet<string> = new Set<keyof RecipeSource>([
  ...(['input', 'inputs', 'output', 'outputs', 'format', 'join', 'parameters', 'preset'] as const),
  ...(['quality', 'ladder', 'transcribe', 'frameSize', 'thumbnailTrack'] as const),
]);

/** What a request has and a recipe cannot have, by the names of the members: `chunks`, `quality.maxSize`. */
export const membersLeftOut = (request: ConversionRequest): readonly string[] => [
  ...Object.keys(request).filter(
    (name) => !OF_RUN.has(name) && !KEPT.has(name) && !(name === 'cut' && cutOf(request.cut as Cut) !== undefined),
  ),
  ...Object.keys(request.quality ?? {})
    .filter((name) => name !== 'target')
    .map((name) => `quality.${name}`),
  ...(request.ladder?.metric === undefined ? [] : ['ladder.metric']),
];

interface Heading {
  readonly title: string;
  readonly version: number;
  /** Where the request comes from, as a sentence. */
  readonly origin: string;
}

/** The most characters of a description. */
const MAX_DESCRIPTION = 500;

/** A description that begins with what a recipe does. */
const descriptionOf = (purpose: string, { origin }: Heading): string =>
  `${purpose}. ${origin}`.slice(0, MAX_DESCRIPTION);

/**
 * Creates a recipe that does with any files what the request does with its files. `recipe`: the recipe of its `preset`. A recipe cannot refer to
 * another one, so it is copied, with the arguments of the request as defaults: what it computes, it computes for each film anew.
 */
export const recipeFromRequest = (request: RecipeSource, heading: Heading, recipe?: Recipe): RecipeDefinition =>
  recipe === undefined ? fromOptions(request, heading) : fromRecipe(request, heading, recipe);

function fromRecipe(
  source: RecipeSource,
  heading: Heading,
  { title: ofRecipe, inputs: roles, outputs: extensions, arguments: known, values, limits, request }: Recipe,
): RecipeDefinition {
  const { inputs = [], output, outputs, format, join, parameters = {}, preset } = source;
  // The paths of inputs, which arguments can contain too, belong to one request.
  const sent = Object.entries(preset?.arguments ?? {}).filter(([name]) => Object.hasOwn(known, name));
  const chosen = sent.map(([name, value]) => `${argumentLabel(name)} ${value}`).join(', ');
  const first = extensionIn(outputs?.[0]?.output ?? output);
  const decidesBits = source.quality !== undefined || Object.keys(parameters).some((name) => DECIDES_BITS.test(name));
  const { maxBytes: _, ...withoutSize } = request;
  return {
    version: heading.version,
    title: heading.title,
    description: descriptionOf(`${ofRecipe}${chosen === '' ? '' : `, with ${chosen}`}`, heading),
    words: [],
    inputs: roles.map((role, i) => withOptionsOf(role, inputs[i])),
    outputs: [...new Set([...(first === undefined ? [] : [first]), ...extensions])],
    arguments: {
      ...known,
      ...Object.fromEntries(sent.map(([name, value]) => [name, withDefault(known[name], value)])),
    } as RecipeDefinition['arguments'],
    ...(values !== undefined && { values }),
    ...(limits !== undefined && { limits }),
    request: {
      ...(decidesBits ? withoutSize : request),
      ...(format !== undefined && { format }),
      ...(join !== undefined && { join }),
      ...settingsOf(source),
      // The options of the request come last, because the last one counts.
      parameters: { ...omit(request.parameters, Object.keys(parameters)), ...parameters },
      ...(outputs !== undefined && { outputs: outputs.map(recipeOutput) }),
    },
  };
}

type Argument = Recipe['arguments'][string];

/** An argument that has the value of a request when none is sent. Forms send all values as texts. */
function withDefault(argument: Argument | undefined, value: string | number | boolean): Argument | undefined {
  if (argument === undefined) return undefined;
  const { required: _, ...rest } = argument;
  const read =
    argument.type === 'number' ? Number(value) : argument.type === 'flag' ? String(value) === 'true' : String(value);
  return { ...rest, default: read } as Argument;
}

/** Options that decide how many bits a video has: then a recipe does not keep to a size. */
const DECIDES_BITS = /^(?:b(?:$|:v)|(?:crf|qp|q|cq|global_quality)(?::|$))|-params$|^x264opts$/;

/** An input of a recipe, with the options that a request has for its file. */
function withOptionsOf(role: Recipe['inputs'][number], input: Input = ''): Recipe['inputs'][number] {
  const { role: _, description: __, parameters, ...others } = recipeInput(input, 0);
  return {
    ...role,
    ...others,
    ...(parameters !== undefined && { parameters: { ...role.parameters, ...parameters } }),
  };
}

const omit = <T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));

function fromOptions(source: RecipeSource, heading: Heading): RecipeDefinition {
  const { title, version } = heading;
  const { inputs = [], output, outputs, format, join, parameters = {} } = source;
  const paths = outputs?.map((one) => one.output) ?? [output ?? ''];
  return {
    version,
    title,
    description: descriptionOf(title, heading),
    words: [],
    inputs: (inputs.length === 0 ? [''] : inputs).map(recipeInput),
    outputs: [extensionOf(paths[0])],
    arguments: {},
    request: {
      ...(format !== undefined && { format }),
      ...(join !== undefined && { join }),
      ...settingsOf(source),
      parameters,
      ...(outputs !== undefined && {
        outputs: outputs.map(recipeOutput),
      }),
    },
  };
}

type Output = NonNullable<ConversionRequest['outputs']>[number];

const recipeOutput = ({ output, format, parameters = {} }: Output, i: number) => ({
  role: `output${i + 1}`,
  description: `Output ${i + 1}.`,
  ...(i > 0 && { suffix: `-${i + 1}.${extensionOf(output)}` }),
  ...(format !== undefined && { format }),
  parameters,
});

function recipeInput(input: Input, index: number): RecipeDefinition['inputs'][number] {
  const { parameters, duration, crossfade } = typeof input === 'string' ? {} : (input as Exclude<Input, string>);
  return {
    role: index === 0 ? 'source' : `source${index + 1}`,
    description: `Source ${index + 1}.`,
    ...(parameters !== undefined && { parameters }),
    ...(duration !== undefined && { duration }),
    ...(crossfade !== undefined && { crossfade }),
  };
}

const extensionIn = (path = ''): string | undefined => /\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase();
const extensionOf = (path?: string): string => extensionIn(path) ?? 'mp4';

/**
 * Makes the name of a recipe from its title: `For the shop!` becomes `for-the-shop`. A name begins with a letter. '': the title has no
 * letters or digits.
 */
export function recipeName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return /^\d/.test(name) ? `my-${name}` : name;
}
