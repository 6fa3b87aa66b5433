import { lstat, stat } from 'node:fs/promises';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { hideLinks } from '@telecine/contract/domain/signed-link.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { type CommandFailed, usageError } from '../../session/command-failed.ts';
import { isFile, isOption, type OrderedArgument } from '../../session/ordered-command.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type FileLocation, serverPath } from './file-names.ts';
import { isImage } from './inputs.ts';
import { isPattern } from './local-files.ts';

/** Arguments as text, such as `-i ss=5`. Omits secrets in URLs, because messages can end up in logs. */
const wordsText = (words: readonly OrderedArgument[]): string => words.flatMap(textsOf).join(' ');

function textsOf(word: OrderedArgument): readonly string[] {
  if (word.kind === 'option') return word.argv.map(shellWord);
  return [shellWord(isUrl(word.text) ? withoutSecrets(word.text) : word.text)];
}

const withoutSecrets = (url: string): string => hideLinks(url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*$/s, '?…'));

/** ffmpeg options that combine several inputs into one output. */
const JOINS = ['filter_complex', 'map'];

/** Whether an order clearly combines several inputs into one output. */
const joinsInputs = ({ inputs, parameters, join }: ConversionOrder): boolean =>
  join !== undefined ||
  inputs.some(({ duration }) => duration !== undefined) ||
  JOINS.some((name) => name in parameters);

const EACH_INTO_FOLDER = 'To convert each file on its own, name their folder with --to.';

const isImageWord = (word: OrderedArgument): boolean => isFile(word) && isImage(word.text);

/**
 * Throws `CommandFailed` for an option without effect: `-i` after the last input, or `--duration` and `--crossfade` without an image after
 * them. `words` contains inputs and an output.
 */
export function rejectUnusedOptions(words: readonly OrderedArgument[]): void {
  const output = words.findLastIndex(isFile);
  const lastInput = words.slice(0, output).findLastIndex(isFile);
  const late = words.filter((word, at) => at > lastInput && isOption(word, 'input-option'));
  const target = words[output];
  if (late.length > 0 && target !== undefined)
    throw usageError(
      'LATE_OPTION',
      `${wordsText(late)} would do nothing: -i applies to the next input, and no input follows, because ${wordsText([target])} is the output.`,
      'Write -i before its input.',
    );
  const joins = words.some((word) => isOption(word, 'join'));
  for (const name of ['duration', 'crossfade']) {
    const at = words.findLastIndex((word) => isOption(word, name));
    const isUsedBy = joins && name === 'crossfade' ? isFile : isImageWord;
    if (at >= 0 && !words.some((word, i) => i > at && i < output && isUsedBy(word)))
      throw withoutImage(words[at], words.slice(0, output).some(isImageWord));
  }
}

/** Throws `CommandFailed` for `--duration` with `--to` if no file is an image. With `--to`, options apply to all files in any order. */
export function rejectUnusedDuration(words: readonly OrderedArgument[]): void {
  const duration = words.findLast((word) => isOption(word, 'duration'));
  if (duration !== undefined && !words.some(isImageWord)) throw withoutImage(duration, false);
}

/** Returns the error for `--duration` or `--crossfade` without an image after it. `isLate`: an image is before it. */
function withoutImage(option: OrderedArgument | undefined, isLate: boolean): CommandFailed {
  if (option?.kind !== 'option') throw new Error('There is no option at this position.');
  const text = wordsText([option]);
  return isLate
    ? usageError(
        'LATE_OPTION',
        `${text} would do nothing: it applies to the images after it, and no image follows.`,
        'Write it before the images.',
      )
    : usageError(
        'NO_PICTURE',
        `${text} would do nothing: only images (jpg, png, webp, …) can have a ${option.name}, and no input is an image.`,
        'For a part of a video or an audio file, send -p t=SECONDS.',
      );
}

/** Throws `CommandFailed` if the output is a folder. */
export async function rejectFolderOutput(order: ConversionOrder): Promise<void> {
  const { output } = order;
  if (!(await isFolder(output))) return;
  throw usageError(
    'IS_A_FOLDER',
    `${output.on === 'server' ? serverPath(output.path) : output.path} is a folder, and the last file is the output.`,
    joinsInputs(order) ? 'Name a file in it.' : `Name a file in it. ${EACH_INTO_FOLDER}`,
  );
}

async function isFolder({ on, path }: FileLocation): Promise<boolean> {
  if (path === '' || path.endsWith('/')) return true;
  return on === 'local' && (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Throws `CommandFailed` if three or more files are named and the last one exists: the user may have forgotten the output. */
export async function rejectMissingOutput(order: ConversionOrder): Promise<void> {
  const { inputs, output, replace } = order;
  if (output.on === 'server' || replace || inputs.length < 2 || joinsInputs(order)) return;
  if ((await lstat(output.path).catch(() => undefined))?.isFile() !== true) return;
  throw usageError(
    'FILE_EXISTS',
    `${output.path} already exists, and the last file is the output.`,
    `Name the output last, or add -y to replace the file. ${EACH_INTO_FOLDER}`,
  );
}

const exists = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Throws `CommandFailed` if only the first file is missing. The user probably wrote the output first. */
export async function rejectOutputFirst({ inputs, output }: ConversionOrder): Promise<void> {
  const [first, ...others] = inputs;
  if (first === undefined || first.location.on !== 'local' || output.on !== 'local') return;
  const { path } = first.location;
  if (path === '' || first.nameBefore !== undefined || first.frames !== undefined || isPattern(path)) return;
  const rest = [...others.map(({ location }) => location), output];
  const areThere = await Promise.all(rest.map(async (one) => one.on === 'local' && (await exists(one.path))));
  if (areThere.includes(false) || (await stat(path).catch(() => undefined)) !== undefined) return;
  throw usageError(
    'NO_SUCH_FILE',
    `There is no file ${path}, and the last file, ${output.path}, exists.`,
    'The output is named last. An input on the service is server:path.',
  );
}
