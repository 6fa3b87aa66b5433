import type { Build } from './build.ts';
import type { Catalogue, CliFacts } from './catalogue.ts';
import { parseFullHelp } from './help-full.ts';
import {
  parseBsfList,
  parseCodecList,
  parseColors,
  parseFilterList,
  parseFormatList,
  parseLayouts,
  parsePixelFormats,
  parseTable,
} from './help-lists.ts';
import { recordedFacts } from './recorded-options.ts';

/**
 * The queries of the first start with a build: option names and all lists. None is about a single option or component.
 */
export const INITIAL_QUERIES = {
  full: ['-h', 'full'],
  encoders: ['-encoders'],
  decoders: ['-decoders'],
  muxers: ['-muxers'],
  demuxers: ['-demuxers'],
  filters: ['-filters'],
  bsfs: ['-bsfs'],
  pixelFormats: ['-pix_fmts'],
  sampleFormats: ['-sample_fmts'],
  layouts: ['-layouts'],
  colors: ['-colors'],
} as const satisfies Record<string, readonly string[]>;

export type InitialAnswers = Readonly<Record<keyof typeof INITIAL_QUERIES, string>>;

/**
 * Returns the catalogue of a build after the initial queries, including the recorded facts of its release. Throws if
 * the answers are not ffmpeg's help.
 */
export function parseInitialAnswers(build: Build, answers: InitialAnswers): Catalogue {
  const { cli, avOptions, generic } = parseFullHelp(answers.full);
  if (cli.size === 0 || avOptions.size === 0) throw new Error(`${build.path} -h full did not print ffmpeg's help`);
  const names = [...cli.keys()].map((name): [string, CliFacts | null] => [name, null]);
  return {
    build,
    cli: new Map([...names, ...recordedFacts(build.release, cli)]),
    cliHelp: cli,
    avOptions,
    generic,
    lists: {
      encoders: parseCodecList(answers.encoders),
      decoders: parseCodecList(answers.decoders),
      muxers: parseFormatList(answers.muxers),
      demuxers: parseFormatList(answers.demuxers),
      filters: parseFilterList(answers.filters),
      bsfs: parseBsfList(answers.bsfs),
      pixelFormats: parsePixelFormats(answers.pixelFormats),
      sampleFormats: parseTable(answers.sampleFormats),
      channelLayouts: parseLayouts(answers.layouts),
      colors: parseColors(answers.colors),
    },
    components: new Map(),
  };
}
