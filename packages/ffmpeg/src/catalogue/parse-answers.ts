import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { type Answers, optionArguments } from './answers.ts';
import type { Build } from './build.ts';
import type { Catalogue, CliFacts } from './catalogue.ts';
import { parseFullHelp } from './help-full.ts';
import { parseBsfList, parseCodecList, parseFilterList, parseFormatList } from './help-lists.ts';
import { firstOf, nearestReleases, utilityLists } from './recorded-releases.ts';

/** The options of the ffmpeg program that requests may use. Only these are asked about: others act while ffmpeg reads its command line. */
export const ASKED_OPTIONS: readonly string[] = [...CLI_RULES.keys()];

/** Makes the catalogue of a build from its answers. Throws if they are not those of an ffmpeg. */
export function catalogueOf(build: Build, answers: Answers): Catalogue {
  const help = parseFullHelp(answers.full);
  const releases = nearestReleases(build);
  const facts = [...optionArguments(answers.options)].flatMap(([name, argument]): [string, CliFacts | null][] => {
    const place = firstOf(releases, ({ places }) => places[name]);
    if (!CLI_RULES.has(name)) return [];
    return [[name, argument === undefined || place === undefined ? null : { argument, place }]];
  });
  if (help.cliHelp.size === 0 || help.avOptions.size === 0 || facts.every(([, known]) => known === null))
    throw new Error(`${build.path} did not print ffmpeg's help`);
  const names = [...help.cliHelp.keys()].map((name): [string, CliFacts | null] => [name, null]);
  return {
    ...{ build, answers, ...help },
    cli: new Map([...names, ...facts]),
    lists: {
      encoders: parseCodecList(answers.encoders),
      decoders: parseCodecList(answers.decoders),
      muxers: parseFormatList(answers.muxers),
      demuxers: parseFormatList(answers.demuxers),
      filters: parseFilterList(answers.filters),
      bsfs: parseBsfList(answers.bsfs),
      ...utilityLists(build),
    },
  };
}
