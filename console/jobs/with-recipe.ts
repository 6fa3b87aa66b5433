import type { ConversionRequest, Recipe } from '@telecine/client';

type Parameters = NonNullable<ConversionRequest['parameters']>;
type Input = NonNullable<ConversionRequest['inputs']>[number];
type Role = Recipe['inputs'][number];

/** What a recipe sets in the request of a job. */
interface SetByRecipe {
  /** The options for all outputs. */
  readonly parameters: Parameters;
  /** The inputs that the recipe reads. */
  readonly roles: readonly Role[];
}

/** The members of a request that a recipe sets as a whole. */
const SET_BY_RECIPE = [
  'join',
  'cut',
  'transcribe',
  'quality',
  'ladder',
  'thumbnailTrack',
  'frameSize',
  'format',
  'outputs',
] as const satisfies readonly (keyof ConversionRequest)[];

/**
 * The request of a job with its recipe applied again, instead of the options that the recipe has set. Options that the client has sent besides
 * the recipe stay.
 */
export function withRecipe(
  request: ConversionRequest,
  preset: NonNullable<ConversionRequest['preset']>,
  { parameters: ofRecipe, roles }: SetByRecipe,
): ConversionRequest {
  const { parameters: all = {}, inputs, ...others } = omit(request, SET_BY_RECIPE);
  const own = besides(all, ofRecipe);
  const ownInputs = inputs?.map((input, i) => withoutRole(input, roles[i] ?? roles.at(-1)));
  return {
    ...others,
    ...(ownInputs !== undefined && { inputs: ownInputs }),
    ...(Object.keys(own).length > 0 && { parameters: own }),
    output: others.output ?? '',
    preset,
  } as ConversionRequest;
}

const omit = <T extends object, K extends keyof T>(whole: T, names: readonly K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;

/** The options of a request that its recipe does not set, or sets to something else. */
const besides = (all: Parameters, ofRecipe: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(all).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(ofRecipe[name])),
  );

/** Leaves out what a recipe sets of an input. */
function withoutRole(input: Input, role: Role | undefined): Input {
  if (typeof input === 'string' || role === undefined) return input;
  const { parameters = {}, ...rest } = input;
  const own = Object.entries(parameters).filter(([name]) => !(name in (role.parameters ?? {})));
  const kept = Object.entries(rest).filter(
    ([name]) => !((name === 'duration' || name === 'crossfade') && role[name] !== undefined),
  );
  return Object.fromEntries([...kept, ...(own.length > 0 ? [['parameters', Object.fromEntries(own)]] : [])]) as Input;
}
