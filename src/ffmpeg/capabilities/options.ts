import { CLI_RULES } from '../allowlist/cli-rules.ts';
import { rejectionReasonOf } from '../allowlist/rejection-reasons.ts';
import type { Catalogue, CliFacts } from '../catalogue/catalogue.ts';
import type { AvOption, Component } from '../catalogue/component.ts';
import type { OptionClass } from '../catalogue/help-full.ts';
import { allowedOptions, type FullOptionView, fullOptionView, withLibraryRule } from './option-view.ts';

/** One meaning of an option name. */
export interface MeaningView extends FullOptionView {
  /** The parts of ffmpeg that accept the option with this meaning: `ffmpeg` itself, `every codec`, `libx264`, … */
  readonly of: readonly string[];
  /**
   * Where to send the option: in the `parameters` of the request (`output`, `global`) or of an input (`input`), in
   * either (`both`), or as an option of a filter in a filtergraph (`filter`).
   */
  readonly on: 'output' | 'input' | 'both' | 'global' | 'filter';
  /**
   * The kinds of streams, one letter each: `V` for video, `A` for audio, `S` for subtitles. Absent if the option is not
   * for codecs.
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

/** The views of each list of option classes. Computing them takes about 40 ms, and every search needs them. */
const cache = new WeakMap<readonly OptionClass[], CachedViews>();

interface CachedViews {
  readonly cli: Catalogue['cli'];
  readonly views: readonly MeaningView[];
}

/**
 * Returns every allowed option with each of its meanings. Options of filters are excluded: they belong in a
 * filtergraph.
 */
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

/** Whether the help of one of ffmpeg's own options only names another spelling: `b` is "video bitrate (please use -b:v)". */
const isReplaced = (help: string): boolean => help.includes('(please use -');

/** Returns the allowed options of one component. */
export const componentMeanings = (component: Component): readonly MeaningView[] =>
  allowedOptions(component).map((option) =>
    meaningOf(component.name, component.kind === 'filter' ? 'filter' : sideOfKind(component, option), option),
  );

/**
 * The meaning of one of ffmpeg's own options whose facts are known: newer releases leave some out of their help. Undefined
 * if this build lacks it.
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

/** Options of bitstream filters have no direction. */
const sideOfKind = ({ kind }: Component, option: AvOption): 'output' | 'input' | 'both' =>
  kind === 'encoder' || kind === 'muxer' ? 'output' : kind === 'bsf' ? 'both' : sideOf(option);

/** Merges meanings that differ only in `of`: encoders of one family share their options. */
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
