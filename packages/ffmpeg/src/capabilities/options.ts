import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { documentedRange, libraryRule } from '../allowlist/encoder-enums.ts';
import { rejectionReasonOf } from '../allowlist/rejected-options.ts';
import { usualQuality } from '../allowlist/usual-quality.ts';
import type { Catalogue, CliFacts } from '../catalogue/catalogue.ts';
import type { AvConstant, AvOption, Component } from '../catalogue/component.ts';
import { parseClasses } from '../catalogue/help-full.ts';

/** One meaning of an option name. `preset` has different meanings for libx264 and libsvtav1. */
export interface MeaningView extends FullOptionView {
  /** What accepts the option with this meaning: `ffmpeg` (the program), `every codec`, `libx264`, … */
  readonly of: readonly string[];
  /**
   * Where a client sends the option. `output` and `global`: in the `parameters` of the request. `input`: in the `parameters` of an input.
   * `both`: in either. `filter`: in a filtergraph.
   */
  readonly on: 'output' | 'input' | 'both' | 'global' | 'filter';
  /** The kinds of streams that the option applies to: `V` video, `A` audio, `S` subtitles. Absent if the option is not for codecs. */
  readonly media?: string;
}

const GENERIC: ReadonlyMap<string, string> = new Map([
  ['AVCodecContext', 'every codec'],
  ['AVFormatContext', 'every format'],
  ['SWScaler', 'the scaler'],
  ['SWResampler', 'the resampler'],
]);

const LIBRARY: ReadonlySet<string> = new Set(['SWScaler', 'SWResampler']);

/** The views of each catalogue. Every search needs them, and building them takes about 40 ms. They live until the garbage collector takes them. */
const cache = new WeakMap<Catalogue, WeakRef<readonly MeaningView[]>>();

/** Returns all meanings of every allowed option. Options of filters are missing. */
export function meaningViews(catalogue: Catalogue): readonly MeaningView[] {
  const cached = cache.get(catalogue)?.deref();
  if (cached !== undefined) return cached;
  const views = makeViews(catalogue);
  cache.set(catalogue, new WeakRef(views));
  return views;
}

function makeViews({ classes, cli, cliHelp }: Catalogue): readonly MeaningView[] {
  const own = [...CLI_RULES.keys()].flatMap((name) => {
    const help = cliHelp.get(name)?.help;
    return help === undefined || isReplaced(help) ? [] : [ownMeaning(name, help, cli.get(name) ?? undefined)];
  });
  const meanings = parseClasses(classes).flatMap(({ title, options }) => {
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
  return [...own, ...mergeMeanings(meanings)];
}

/** True if the help of a program option only says which option replaces it. Example: `b`, "video bitrate (please use -b:v)". */
const isReplaced = (help: string): boolean => help.includes('(please use -');

export const componentMeanings = (component: Component): readonly MeaningView[] =>
  allowedOptions(component).map((option) =>
    meaningOf(component.name, component.kind === 'filter' ? 'filter' : sideOfKind(component, option), option),
  );

/** The meaning of an option of the program that the help of newer releases omits. undefined: the build lacks the option. */
export function hiddenMeaning(name: string, { cli, cliHelp }: Catalogue): MeaningView | undefined {
  const facts = cli.get(name);
  if (facts === undefined || facts === null) return undefined;
  return cliHelp.has(name) ? undefined : ownMeaning(name, "See ffmpeg's documentation.", facts);
}

function ownMeaning(name: string, description: string, facts: CliFacts | undefined): MeaningView {
  return {
    name,
    of: ['ffmpeg'],
    on: facts?.place ?? 'both',
    type: facts?.argument === false ? 'flag' : 'value',
    description,
  };
}

function meaningOf(of: string, on: MeaningView['on'], option: AllowedOption): MeaningView {
  return { ...fullOptionView(option), of: [of], on, ...(option.media !== '' && { media: option.media }) };
}

const sideOf = ({ encoding, decoding }: AvOption): 'output' | 'input' | 'both' =>
  encoding ? (decoding ? 'both' : 'output') : 'input';

/** The side of an option. An option of a bitstream filter has no direction, so both sides have it. */
const sideOfKind = ({ kind }: Component, option: AvOption): 'output' | 'input' | 'both' =>
  kind === 'encoder' || kind === 'muxer' ? 'output' : kind === 'bsf' ? 'both' : sideOf(option);

/** Merges meanings that differ only in `of`: the encoders of one family have the same options. */
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

/** An option in a reply. A field that does not apply is absent. */
export interface OptionView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Present if the option takes a list of values. */
  readonly list?: true;
  readonly min?: number;
  readonly max?: number;
  /** The usual values of a quality: `18 to 28`. */
  readonly usual?: string;
  readonly default?: string;
  /** The accepted words. A value is one of them; a value of flags may combine several (`+a-b`). */
  readonly constants?: readonly string[];
  readonly deprecated?: true;
}

/** An option whose accepted words have descriptions. */
interface FullOptionView extends Omit<OptionView, 'constants'> {
  readonly constants?: readonly AvConstant[];
}

/** An option with what is known of its usual values. */
interface AllowedOption extends AvOption {
  readonly usual?: string;
}

/** Whether an option has a default. ffmpeg writes one below the range, such as -1, for an option that is not set. */
const isDefault = (fallback: string, min: number | undefined): boolean =>
  fallback !== '' && !(min !== undefined && Number(fallback) < min);

/** A bound beyond this number means only "any finite number". Replies omit it. */
const NO_BOUND = 1e37;

export function optionView(option: AllowedOption): OptionView {
  const { constants, ...rest } = fullOptionView(option);
  return { ...rest, ...(constants && { constants: constants.map(({ name }) => name) }) };
}

function fullOptionView({ name, type, help, min, max, fallback, constants, ...more }: AllowedOption): FullOptionView {
  return {
    name,
    type,
    description: help,
    ...(more.list && { list: true }),
    ...(min !== undefined && min > -NO_BOUND && { min }),
    ...(max !== undefined && max < NO_BOUND && { max }),
    ...(more.usual !== undefined && { usual: more.usual }),
    ...(fallback !== undefined && isDefault(fallback, min) && { default: fallback }),
    ...(constants.length > 0 && { constants }),
    ...(more.deprecated && { deprecated: true }),
  };
}

/**
 * Returns the options of a component that a request may set. The options of a filter are not compared with `rejectionReasonOf`, which is
 * about options of codecs and formats: a filter's option of the same name does something else.
 */
export const allowedOptions = ({ kind, name: component, options }: Component): readonly AllowedOption[] =>
  options
    .filter(({ name, readOnly }) => !readOnly && (kind === 'filter' || rejectionReasonOf(name) === undefined))
    .map((option) => (kind === 'encoder' ? withLibraryRule(component, option) : option));

/**
 * Adds what is known of the encoder library (`libraryRule`, `usualQuality`) to an option whose value ffmpeg itself does not check
 * completely: its words, or its range. The range begins where its documentation does, because lower numbers, such as -1, only mean "not set".
 */
function withLibraryRule(encoder: string, option: AvOption): AllowedOption {
  const rule = libraryRule(encoder, option.name);
  const quality = usualQuality(encoder, option.name);
  const isUnset = option.min === -1 && Number(option.fallback) === -1;
  const known = { ...option, ...(quality && { usual: quality.usual, ...(isUnset && { min: 0 }) }) };
  if (rule?.takes === 'range') {
    const { min } = documentedRange(rule);
    return { ...known, min: Math.max(min, option.min ?? min), max: Math.min(rule.max, option.max ?? rule.max) };
  }
  if (rule === undefined || option.constants.length > 0) return known;
  return { ...known, constants: rule.words.map((name) => ({ name, help: '' })) };
}
