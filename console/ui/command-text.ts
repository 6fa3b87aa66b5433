import { shellWord, shownArguments } from '../../packages/contract/src/domain/shell-text.ts';

/** The words of a command of ffmpeg, each as a shell reads it. */
export const commandWords = (argv: readonly string[]): readonly string[] => shownArguments(argv).map(shellWord);

/** A command of ffmpeg for copying. The service itself uses no shell. */
export const commandText = (argv: readonly string[]): string => commandWords(argv).join(' ');
