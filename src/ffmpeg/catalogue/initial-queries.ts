import type { Build } from './build.ts';
import type { Catalogue, CliFacts } from './catalogue.ts';
import { filterHelp } from './filter-help.ts';
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
import type { RecordedLists } from './recorded-lists.ts';
import { isInRecordedRange, recordedFacts } from './recorded-options.ts';
import type { InitialAnswers, ListAnswers } from './started-queries.ts';

/**
 * Returns the catalogue of a build after the initial queries, including the recorded facts of its release, and the help of most
 * filters. Throws if the answers are not ffmpeg's help.
 */
export function parseInitialAnswers(build: Build, answers: InitialAnswers, lists: RecordedLists): Catalogue {
  const { cli, avOptions, generic } = parseFullHelp(answers.full);
  if (cli.size === 0 || avOptions.size === 0) throw new Error(`${build.path} -h full did not print ffmpeg's help`);
  const filters = parseFilterList(answers.filters);
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
      filters,
      bsfs: parseBsfList(answers.bsfs),
      ...lists,
    },
    components: isInRecordedRange(build.release) ? filterHelp(answers.full, filters) : new Map(),
  };
}

/** The lists of a release that is not recorded. */
export const parseListAnswers = (answers: ListAnswers): RecordedLists => ({
  pixelFormats: parsePixelFormats(answers.pixelFormats),
  sampleFormats: parseTable(answers.sampleFormats),
  channelLayouts: parseLayouts(answers.layouts),
  colors: parseColors(answers.colors),
});
