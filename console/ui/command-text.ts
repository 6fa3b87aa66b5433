import { shellWord, shownArguments } from '../../packages/contract/src/domain/shell-text.ts';

/** The arguments of an ffmpeg command, quoted for a shell. */
export const commandWords = (argv: readonly string[]): readonly string[] => shownArguments(argv).map(shellWord);

/** An ffmpeg command to paste into a shell. The service itself uses no shell. */
export const commandText = (argv: readonly string[]): string => commandWords(argv).join(' ');
