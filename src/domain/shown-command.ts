/** The option with the list of all formats, which the service sets for each input. */
const FORMAT_LIST = '-format_whitelist';

/** The arguments of ffmpeg that tell a reader something: without the list of all formats, which is longer than the rest. */
export const shownArguments = (argv: readonly string[]): readonly string[] =>
  argv.filter((word, index) => word !== FORMAT_LIST && argv[index - 1] !== FORMAT_LIST);
