const PLAIN = /^[\w@%+=:,./-]+$/;

/** One argument as a POSIX shell reads it. */
const quote = (argument: string): string =>
  PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** A command for reading and copying. The service itself uses no shell. */
export const shellText = (argv: readonly string[]): string => argv.map(quote).join(' ');
