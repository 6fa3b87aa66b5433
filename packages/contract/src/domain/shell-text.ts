/** Quotes a text for a POSIX shell, in commands for people to copy. The service runs no shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The option with the list of all allowed formats. The service sets it for each input. */
const FORMAT_LIST = '-format_whitelist';

/** The arguments of ffmpeg without the list of all formats. The list is longer than all other arguments and does not help a reader. */
export const shownArguments = (argv: readonly string[]): readonly string[] =>
  argv.filter((word, index) => word !== FORMAT_LIST && argv[index - 1] !== FORMAT_LIST);
