import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { type Answers, optionArguments } from './answers.ts';
import type { Build } from './build.ts';
import type { Catalogue, CliFacts } from './catalogue.ts';
import { parseFullHelp } from './help-full.ts';
import { parseBsfList, parseCodecList, parseFilterList, parseFormatList } from './help-lists.ts';
import { releaseFacts } from './recorded-releases.ts';

/** The options of the ffmpeg program that requests may use. Only these are asked about: others act while ffmpeg reads its command line. */
export const ASKED_OPTIONS: readonly string[] = [...CLI_RULES.keys()];

/** Makes the catalogue of a build from its answers. Throws if they are not those of an ffmpeg. */
export function catalogueOf(build: Build, answers: Answers): Catalogue {
  const { cli, avOptions, generic, classes } = parseFullHelp(answers.full);
  const { lists, places } = releaseFacts(build);
  const facts = [...optionArguments(answers.options)].flatMap(([name, argument]): [string, CliFacts][] => {
    const place = places.get(name);
    return place === undefined || !CLI_RULES.has(name) ? [] : [[name, { argument, place }]];
  });
  if (cli.size === 0 || avOptions.size === 0 || facts.length === 0)
    throw new Error(`${build.path} did not print ffmpeg's help`);
  const names = [...cli.keys()].map((name): [string, CliFacts | null] => [name, null]);
  return {
    build,
    cli: new Map([...names, ...facts]),
    cliHelp: cli,
    avOptions,
    generic,
    classes,
    lists: {
      encoders: parseCodecList(answers.encoders),
      decoders: parseCodecList(answers.decoders),
      muxers: parseFormatList(answers.muxers),
      demuxers: parseFormatList(answers.demuxers),
      filters: parseFilterList(answers.filters),
      bsfs: parseBsfList(answers.bsfs),
      ...lists,
    },
  };
}
