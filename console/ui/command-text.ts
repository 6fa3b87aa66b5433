import { shellWord } from '../../src/domain/shell-word.ts';
import { shownArguments } from '../../src/domain/shown-command.ts';

/** A command of ffmpeg for reading and copying. The service itself uses no shell. */
export const commandText = (argv: readonly string[]): string => shownArguments(argv).map(shellWord).join(' ');
