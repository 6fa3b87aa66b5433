/** Quotes a text for a POSIX shell, so that people can copy a command. This program itself does not run a shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
