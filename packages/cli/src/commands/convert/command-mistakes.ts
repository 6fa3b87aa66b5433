import { lstat, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ClientError } from '@telecine/client/client-error.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { hideLinks } from '@telecine/contract/domain/signed-link.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { ProblemView } from '@telecine/contract/wire/problem.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed, usageError } from '../../session/command-failed.ts';
import { isFile, isOption, type OrderedArgument } from '../../session/ordered-command.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type FileLocation, serverPath } from './file-names.ts';
import { FFMPEG_OPTIONS, isImage } from './inputs.ts';
import { isPattern } from './local-files.ts';

/** Formats a command that the user can copy. Omits secrets in URLs, because messages can end up in logs. */
const commandText = (words: readonly OrderedArgument[]): string =>
  ['telecine convert', ...words.flatMap(textsOf)].join(' ');

/** An option to add to a command. `flag`: the long name, such as `--duration`. */
export const optionWord = (flag: string, value: string): OrderedArgument => ({
  kind: 'option',
  name: flag.replace(/^-+/, ''),
  value,
  argv: [flag, value],
});

/** Arguments as text, such as `-i ss=5`. */
const wordsText = (words: readonly OrderedArgument[]): string => words.flatMap(textsOf).join(' ');

function textsOf(word: OrderedArgument): readonly string[] {
  if (word.kind === 'option') return word.argv.map(shellWord);
  if (isUrl(word.text)) return [shellWord(withoutSecrets(word.text))];
  // A name that begins with a dash would be an option, so write "./" before it.
  return [shellWord(word.text.startsWith('-') ? `./${word.text}` : word.text)];
}

const withoutSecrets = (url: string): string => hideLinks(url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*$/s, '?…'));

/** ffmpeg options that combine several inputs into one output. */
const JOINS = ['filter_complex', 'map'];

/** Whether an order clearly combines several inputs into one output. Then `--to`, which converts each file, is not the fix. */
const joinsInputs = ({ inputs, parameters, join }: ConversionOrder): boolean =>
  join !== undefined ||
  inputs.some(({ duration }) => duration !== undefined) ||
  JOINS.some((name) => name in parameters);

/** Returns the command that converts each input into a folder. The last file argument is this folder; it becomes the value of `--to`. */
function convertEachInto(words: readonly OrderedArgument[], order: ConversionOrder): string {
  const last = words.findLastIndex(isFile);
  const to = optionWord('--to', words.findLast(isFile)?.text ?? '');
  return commandText([...words.toSpliced(last, 1, to), ...formatOf(order)]);
}

/** Returns the command that converts each of its files into a folder. The last file is also an input. */
const convertEachFile = (words: readonly OrderedArgument[], order: ConversionOrder): string =>
  commandText([...words, optionWord('--to', 'out/'), ...formatOf(order)]);

/** Returns the format of the inputs as an option, if the order has no format. */
function formatOf({ inputs, format }: ConversionOrder): readonly OrderedArgument[] {
  if (format !== undefined) return [];
  const extensions = new Set(inputs.map(({ location }) => extname(location.path).slice(1).toLowerCase()));
  const [extension = ''] = extensions;
  return [optionWord('-f', extensions.size === 1 && /^[a-z0-9]+$/.test(extension) ? extension : 'mp4')];
}

const isImageWord = (word: OrderedArgument): boolean => isFile(word) && isImage(word.text);

/**
 * Throws `CommandFailed` for an option without effect: `-i` after the last input, or `--duration` and `--crossfade` without an image after
 * them. `words` contains inputs and an output.
 */
export function rejectUnusedOptions(words: readonly OrderedArgument[]): void {
  const output = words.findLastIndex(isFile);
  const lastInput = words.slice(0, output).findLastIndex(isFile);
  rejectLateInputOptions(words, lastInput, output);
  const joins = words.some((word) => isOption(word, 'join'));
  for (const name of ['duration', 'crossfade']) {
    const at = words.findLastIndex((word) => isOption(word, name));
    const isUsedBy = joins && name === 'crossfade' ? isFile : isImageWord;
    if (at >= 0 && !words.some((word, i) => i > at && i < output && isUsedBy(word)))
      throw withoutImage(words, at, lastInput);
  }
}

/** Throws `CommandFailed` for `--duration` with `--to` if no file is an image. With `--to`, options apply to all files in any order. */
export function rejectUnusedDuration(words: readonly OrderedArgument[]): void {
  const at = words.findLastIndex((word) => isOption(word, 'duration'));
  if (at >= 0 && !words.some(isImageWord)) throw withoutImage(words, at, words.length);
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

/** Returns the error for `--duration` or `--crossfade` at index `at` if no image follows it. */
function withoutImage(words: readonly OrderedArgument[], at: number, lastInput: number): CommandFailed {
  const option = words[at];
  if (option?.kind !== 'option') throw new Error('There is no option at this position.');
  const text = wordsText([option]);
  const others = words.toSpliced(at, 1);
  const isEarlier = (word: OrderedArgument, i: number): boolean => i <= lastInput && isImageWord(word);
  const earlier = words.findIndex(isEarlier);
  if (earlier >= 0) {
    // The same option appears earlier and applies to the first images, so this one is meant for the last image.
    const isSecond = others.some((word) => isOption(word, option.name));
    const position = isSecond ? words.findLastIndex(isEarlier) : earlier;
    return usageError(
      'LATE_OPTION',
      `${text} would do nothing: it applies to the images after it, and no image follows.`,
      `Write it before the images: ${commandText(others.toSpliced(position, 0, option))}`,
    );
  }
  const isLimited = words.some((word) => isOption(word, ...FFMPEG_OPTIONS) && /^(?:t|to)=/.test(word.value));
  const parts = others.filter((word) => !isOption(word, 'duration', 'crossfade'));
  return usageError(
    'NO_PICTURE',
    `${text} would do nothing: only images (jpg, png, webp, …) can have a ${option.name}, and no input is an image.`,
    option.name === 'duration' && !isLimited
      ? `For a part of a video or an audio file: ${commandText([...parts, optionWord('-p', `t=${option.value}`)])}`
      : `Leave it out: ${commandText(parts)}`,
  );
}

/** Throws `CommandFailed` if the output is a folder. The fix converts each input into this folder. */
export async function rejectFolderOutput(words: readonly OrderedArgument[], order: ConversionOrder): Promise<void> {
  const { output, format } = order;
  if (!(await isFolder(output))) return;
  const folder = output.on === 'server' ? serverPath(output.path) : output.path;
  const example = `${folder.replace(/(?<=[^/:])\/*$/, '/')}out.${format ?? 'mp4'}`;
  throw usageError(
    'IS_A_FOLDER',
    `${folder} is a folder, and the last file is the output.`,
    joinsInputs(order)
      ? `Name a file in it, such as ${example}.`
      : `For one output, name a file in it, such as ${example}. To convert each file into it${format === undefined ? ', in the format that -f names' : ''}: ${convertEachInto(words, order)}`,
  );
}

async function isFolder({ on, path }: FileLocation): Promise<boolean> {
  if (path === '' || path.endsWith('/')) return true;
  return on === 'local' && (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/**
 * Throws `CommandFailed` if three or more files are named and the last one exists: the user may have forgotten the output. The fix proposes
 * to replace the file only if its extension differs from the extensions of the inputs.
 */
export async function rejectMissingOutput(words: readonly OrderedArgument[], order: ConversionOrder): Promise<void> {
  const { inputs, output, replace } = order;
  if (output.on === 'server' || replace || inputs.length < 2 || joinsInputs(order)) return;
  if ((await lstat(output.path).catch(() => undefined))?.isFile() !== true) return;
  const kindOf = (path: string): string => extname(path).toLowerCase();
  const isLikeInputs = inputs.every(({ location }) => kindOf(location.path) === kindOf(output.path));
  throw usageError(
    'FILE_EXISTS',
    `${output.path} already exists, and the last file is the output.`,
    `If it is an input too, name the output after it, or convert each file on its own: ${convertEachFile(words, order)}${isLikeInputs ? '' : '\nTo replace it, add -y.'}`,
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
  const files = [...rest.map((one) => one.path), path].map(shellWord).join(' ');
  throw usageError(
    'NO_SUCH_FILE',
    `There is no file ${path}, and the last file, ${output.path}, exists.`,
    `If ${path} is the output, name it last: ${files}. For an input on the service, send server:path.`,
  );
}

type FieldErrorView = NonNullable<ProblemView['errors']>[number];

/** The error code of the service for a path that only ffmpeg could open, such as `concat:a.ts|b.ts`. */
const NOT_A_FILE = 'STORAGE_NOT_ALLOWED';

/** Several files joined by ffmpeg's protocol: `concat:a.ts|b.ts`. */
const JOINED = /^(server:)?concatf?:(.*\|.*)$/is;

/**
 * Sends an input such as `concat:a.ts|b.ts` to the service, which rejects it with a fix that joins the files. If a local file has this
 * name, the input is this file.
 */
export async function withJoinedInputs(order: ConversionOrder): Promise<ConversionOrder> {
  const inputs = await Promise.all(
    order.inputs.map(async (input) => {
      const { on, path } = input.location;
      const isFile = on === 'server' || !JOINED.test(path) || (await stat(path).catch(() => undefined)) !== undefined;
      return isFile ? input : { ...input, location: { on: 'server' as const, path } };
    }),
  );
  return { ...order, inputs };
}

/** Adds the command that joins the files to the error for an input such as `concat:a.ts|b.ts`. Returns other errors unchanged. */
export function withJoiningCommand(error: unknown, words: readonly OrderedArgument[]): unknown {
  const at = words.findIndex((one) => isFile(one) && JOINED.test(one.text));
  const word = words[at];
  if (word?.kind !== 'file' || !(error instanceof ClientError)) return error;
  const number = words.slice(0, at).filter(isFile).length;
  const isOfInput = (field: string): boolean =>
    ['/input', `/inputs/${number}`, `/inputs/${number}/input`].includes(field);
  const rejected = error.problem?.errors?.find(({ code, field }) => code === NOT_A_FILE && isOfInput(field));
  if (rejected === undefined) return error;
  const [, server = '', list = ''] = JOINED.exec(word.text) ?? [];
  const files = list.split('|').flatMap((file): OrderedArgument[] => {
    const name = file.trim();
    return name === '' ? [] : [{ kind: 'file', text: `${server}${name}` }];
  });
  const options = joiningOptions(rejected.apply);
  const others = words.toSpliced(at, 1, ...files).filter((one) => !isOption(one, 'parameter'));
  return new CommandFailed(EXIT.refused, rejected.code, rejected.message, {
    fix:
      options === undefined
        ? `Name the files as inputs, ${wordsText(files)}, and send --join encode.`
        : `Name the files, and join them: ${commandText([...others, ...options])}`,
    cause: error,
  });
}

/** The command line options for a fix of the service that joins files. undefined: the fix does not join files. */
function joiningOptions(patch: FieldErrorView['apply'] = []): readonly OrderedArgument[] | undefined {
  const sent = new Map(patch.map((one) => [one.path, 'value' in one ? one.value : undefined]));
  const join = sent.get('/join');
  if (typeof join !== 'string') return undefined;
  const parameters = (sent.get('/parameters') ?? {}) as Readonly<Record<string, string | string[]>>;
  const options = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one) => optionWord('-p', one === '' ? name : `${name}=${one}`)),
  );
  return [optionWord('--join', join), ...options];
}
