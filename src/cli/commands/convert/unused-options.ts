import type { CommandFailed } from '../../session/command-failed.ts';
import { usageError } from '../../session/usage-error.ts';
import { commandText, optionWord, wordsText } from './command-text.ts';
import { isPicture } from './inputs.ts';
import type { OrderedArgument } from './ordered-argv.ts';

/** The options whose values are ffmpeg options. */
const TAKES_OPTION: ReadonlySet<string> = new Set(['parameter', 'input-option']);

const isOption = (word: OrderedArgument, ...names: readonly string[]): boolean =>
  word.kind === 'option' && names.includes(word.name);

const isFile = (word: OrderedArgument): word is OrderedArgument & { readonly kind: 'file' } => word.kind === 'file';

const isPictureWord = (word: OrderedArgument): boolean => isFile(word) && isPicture(word.text);

/**
 * Throws `CommandFailed` for an option that applies to the next inputs and has none, so that it would do nothing: `-i` after
 * the last input, `--duration` and `--crossfade` without a picture. `words` has inputs and an output.
 */
export function rejectUnusedOptions(words: readonly OrderedArgument[]): void {
  const output = words.findLastIndex(isFile);
  const lastInput = words.slice(0, output).findLastIndex(isFile);
  rejectLateInputOptions(words, lastInput, output);
  const joins = words.some((word) => isOption(word, 'join'));
  for (const name of ['duration', 'crossfade']) {
    const at = words.findLastIndex((word) => isOption(word, name));
    const isUsedBy = joins && name === 'crossfade' ? isFile : isPictureWord;
    if (at >= 0 && !words.some((word, i) => i > at && i < output && isUsedBy(word)))
      throw withoutPicture(words, at, lastInput);
  }
}

/** The same for `--to`, where options apply to all files: throws for `--duration` if none is a picture. */
export function rejectUnusedDuration(words: readonly OrderedArgument[]): void {
  const at = words.findLastIndex((word) => isOption(word, 'duration'));
  if (at >= 0 && !words.some(isPictureWord)) throw withoutPicture(words, at, words.length);
}

function rejectLateInputOptions(words: readonly OrderedArgument[], lastInput: number, output: number): void {
  const isLate = (word: OrderedArgument, at: number): boolean => at > lastInput && isOption(word, 'input-option');
  const late = words.filter(isLate);
  const input = words[lastInput];
  const target = words[output];
  if (late.length === 0 || input === undefined || target === undefined) return;
  const others = words.filter((word, at) => !isLate(word, at));
  throw usageError(
    'LATE_OPTION',
    `${wordsText(late)} would do nothing: -i applies to the next input, and no input follows, because ${wordsText([target])} is the output.`,
    `Write -i before its input: ${commandText(others.toSpliced(others.indexOf(input), 0, ...late))}`,
  );
}

/** The error for `--duration` or `--crossfade` at `at`, which no picture follows. */
function withoutPicture(words: readonly OrderedArgument[], at: number, lastInput: number): CommandFailed {
  const option = words[at];
  if (option?.kind !== 'option') throw new Error('There is no option at this position.');
  const text = wordsText([option]);
  const others = words.toSpliced(at, 1);
  const isEarlier = (word: OrderedArgument, i: number): boolean => i <= lastInput && isPictureWord(word);
  const earlier = words.findIndex(isEarlier);
  if (earlier >= 0) {
    // If another one applies to the first pictures, this one was meant for the last.
    const isSecond = others.some((word) => isOption(word, option.name));
    const position = isSecond ? words.findLastIndex(isEarlier) : earlier;
    return usageError(
      'LATE_OPTION',
      `${text} would do nothing: it applies to the pictures after it, and no picture follows.`,
      `Write it before the pictures: ${commandText(others.toSpliced(position, 0, option))}`,
    );
  }
  const isLimited = words.some(
    (word) => word.kind === 'option' && TAKES_OPTION.has(word.name) && /^(?:t|to)=/.test(word.value),
  );
  const parts = others.filter((word) => !isOption(word, 'duration', 'crossfade'));
  return usageError(
    'NO_PICTURE',
    `${text} would do nothing: only pictures (jpg, png, webp, …) can have a ${option.name}, and there is none.`,
    option.name === 'duration' && !isLimited
      ? `For a part of a video or of sound: ${commandText([...parts, optionWord('-p', `t=${option.value}`)])}`
      : `Leave it out: ${commandText(parts)}`,
  );
}
