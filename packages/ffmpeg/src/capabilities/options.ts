import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { libraryRule } from '../allowlist/encoder-enums.ts';
import { rejectionReasonOf } from '../allowlist/rejected-options.ts';
import type { Catalogue, CliFacts } from '../catalogue/catalogue.ts';
import type { AvConstant, AvOption, Component } from '../catalogue/component.ts';
import type { OptionClass } from '../catalogue/help-full.ts';

/** One meaning of an option name. */
export interface MeaningView extends FullOptionView {
  /** The parts of ffmpeg that accept the option with this meaning: `ffmpeg` itself, `every codec`, `libx264`, … */
  readonly of: readonly string[];
  /**
   * Where to send the option. `output` and `global`: in the `parameters` of the request. `input`: in the `parameters`
   * of an input. `both`: in either of them. `filter`: in a filtergraph.
   */
  readonly on: 'output' | 'input' | 'both' | 'global' | 'filter';
  /**
   * The kinds of streams that the option applies to: `V` is video, `A` is audio, `S` is subtitles. Absent if the option
   * is not for codecs.
   */
  readonly media?: string;
}

const GENERIC: ReadonlyMap<string, string> = new Map([
  ['AVCodecContext', 'every codec'],
  ['AVFormatContext', 'every format'],
  ['SWScaler', 'the scaler'],
  ['SWResampler', 'the resampler'],
]);

const LIBRARY: ReadonlySet<string> = new Set(['SWScaler', 'SWResampler']);

/**
 * The views of each list of option classes. They are cached because every search needs them and building them takes
 * about 40 ms.
 */
const cache = new WeakMap<
  readonly OptionClass[],
  { readonly cli: Catalogue['cli']; readonly views: readonly MeaningView[] }
>();

/** Returns all meanings of every allowed option, without options of filters. */
export function meaningViews(catalogue: Catalogue, classes: readonly OptionClass[]): readonly MeaningView[] {
  const cached = cache.get(classes);
  if (cached?.cli === catalogue.cli) return cached.views;
  const { cli, cliHelp } = catalogue;
  const own = [...CLI_RULES.keys()].flatMap((name) => {
    const help = cliHelp.get(name)?.help;
    return help === undefined || isReplaced(help) ? [] : [ownMeaning(name, help, cli.get(name) ?? undefined)];
  });
  const meanings = classes.flatMap(({ title, options }) => {
    const library = LIBRARY.has(title);
    return options
      .filter(({ name, readOnly, encoding, decoding }) => {
        const isOwn = cli.has(name) && !isReplaced(cliHelp.get(name)?.help ?? '');
        if (isOwn || readOnly || rejectionReasonOf(name) !== undefined) return false;
        return library || encoding || decoding;
      })
      .map((option) =>
        meaningOf(GENERIC.get(title) ?? title, library ? 'output' : sideOf(option), withLibraryRule(title, option)),
      );
  });
  const views = [...own, ...mergeMeanings(meanings)];
  cache.set(classes, { cli, views });
  return views;
}

/**
 * Whether the help of one of ffmpeg's own options only refers to another spelling: `b` is "video bitrate (please use
 * -b:v)".
 */
const isReplaced = (help: string): boolean => help.includes('(please use -');

/** Returns the meanings of the allowed options of a component. */
export const componentMeanings = (component: Component): readonly MeaningView[] =>
  allowedOptions(component).map((option) =>
    meaningOf(component.name, component.kind === 'filter' ? 'filter' : sideOfKind(component, option), option),
  );

/**
 * Returns the meaning of one of ffmpeg's own options that the help of newer releases omits. undefined: the build lacks
 * the option.
 */
export function hiddenMeaning(name: string, { cli, cliHelp }: Catalogue): MeaningView | undefined {
  const facts = cli.get(name);
  if (!CLI_RULES.has(name) || facts === undefined || facts === null || facts.place === 'nowhere') return undefined;
  return cliHelp.has(name) ? undefined : ownMeaning(name, "See ffmpeg's documentation.", facts);
}

function ownMeaning(name: string, description: string, facts: CliFacts | undefined): MeaningView {
  const place = facts?.place === undefined || facts.place === 'nowhere' ? 'both' : facts.place;
  return { name, of: ['ffmpeg'], on: place, type: facts?.argument === false ? 'flag' : 'value', description };
}

function meaningOf(of: string, on: MeaningView['on'], option: AvOption): MeaningView {
  return { ...fullOptionView(option), of: [of], on, ...(option.media !== '' && { media: option.media }) };
}

const sideOf = ({ encoding, decoding }: AvOption): 'output' | 'input' | 'both' =>
  encoding ? (decoding ? 'both' : 'output') : 'input';

/** Returns the side of an option. Options of bitstream filters have no direction, so they belong to both sides. */
const sideOfKind = ({ kind }: Component, option: AvOption): 'output' | 'input' | 'both' =>
  kind === 'encoder' || kind === 'muxer' ? 'output' : kind === 'bsf' ? 'both' : sideOf(option);

/** Merges meanings that differ only in `of`. Encoders of one family have the same options. */
function mergeMeanings(meanings: readonly MeaningView[]): readonly MeaningView[] {
  const merged = new Map<string, MeaningView>();
  for (const meaning of meanings) {
    const { of, ...same } = meaning;
    const key = JSON.stringify(same);
    const before = merged.get(key);
    merged.set(key, before === undefined ? meaning : { ...before, of: [...new Set([...before.of, ...of])] });
  }
  return [...merged.values()];
}

/** An option in a reply. Fields that do not apply are absent. */
export interface OptionView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Present if the option accepts a list of values. */
  readonly list?: true;
  readonly min?: number;
  readonly max?: number;
  readonly default?: string;
  /** The accepted words. A value is one of these words. For flags, it can contain several (`+a-b`). */
  readonly constants?: readonly string[];
  readonly deprecated?: true;
}

/** An option whose words have descriptions. */
interface FullOptionView extends Omit<OptionView, 'constants'> {
  readonly constants?: readonly AvConstant[];
}

/** The number above which replies omit a bound. Such a bound only means that the value is finite. */
const NO_BOUND = 1e37;

export function optionView(option: AvOption): OptionView {
  const { constants, ...rest } = fullOptionView(option);
  return { ...rest, ...(constants && { constants: constants.map(({ name }) => name) }) };
}

function fullOptionView({ name, type, help, min, max, fallback, constants, ...more }: AvOption): FullOptionView {
  return {
    name,
    type,
    description: help,
    ...(more.list && { list: true }),
    ...(min !== undefined && min > -NO_BOUND && { min }),
    ...(max !== undefined && max < NO_BOUND && { max }),
    ...(fallback !== undefined && fallback !== '' && { default: fallback }),
    ...(constants.length > 0 && { constants }),
    ...(more.deprecated && { deprecated: true }),
  };
}

/**
 * Returns the allowed options of a component. Options of filters have their own namespace, so no rejection by name
 * applies to them.
 */
export const allowedOptions = ({ kind, name: component, options }: Component): readonly AvOption[] =>
  options
    .filter(({ name, readOnly }) => !readOnly && (kind === 'filter' || rejectionReasonOf(name) === undefined))
    .map((option) => (kind === 'encoder' ? withLibraryRule(component, option) : option));

/** Adds the words or the range of the encoder library to an option, if ffmpeg itself does not check its value. */
function withLibraryRule(encoder: string, option: AvOption): AvOption {
  const rule = libraryRule(encoder, option.name);
  if (rule?.takes === 'range')
    return {
      ...option,
      min: Math.max(rule.min, option.min ?? rule.min),
      max: Math.min(rule.max, option.max ?? rule.max),
    };
  if (rule === undefined || option.constants.length > 0) return option;
  return { ...option, constants: rule.words.map((name) => ({ name, help: '' })) };
}
