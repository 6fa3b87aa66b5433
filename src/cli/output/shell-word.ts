/** A word that any POSIX shell reads as this very text: for people to copy. Nothing here passes a shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
