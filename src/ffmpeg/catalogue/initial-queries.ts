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
import { knownFacts } from './known-options.ts';

/** What a first start asks: the names of options, and all lists. Nothing here is per option or per component. */
export const BASIC_QUESTIONS = {
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

export type BasicAnswers = Readonly<Record<keyof typeof BASIC_QUESTIONS, string>>;

/** The catalogue of a build of which nothing else was asked, with what other builds told of its options. Throws when the answers are not those of ffmpeg. */
export function readBasics(build: Build, answers: BasicAnswers): Catalogue {
  const { cli, avOptions, generic } = parseFullHelp(answers.full);
  if (cli.size === 0 || avOptions.size === 0) throw new Error(`${build.path} -h full is not the help of ffmpeg`);
  const names = [...cli.keys()].map((name): [string, CliFacts | null] => [name, null]);
  return {
    build,
    cli: new Map([...names, ...knownFacts(build.release, cli)]),
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
