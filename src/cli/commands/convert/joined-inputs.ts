import { stat } from 'node:fs/promises';
import { ClientError } from '../../../client/client-error.ts';
import type { ProblemView } from '../../../wire/problem.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { commandText, optionWord, wordsText } from './command-text.ts';
import type { ConversionOrder } from './conversion-order.ts';
import type { OrderedArgument } from './ordered-argv.ts';

type FieldErrorView = NonNullable<ProblemView['errors']>[number];

/** The code of an error about a path that only ffmpeg reads. */
const NOT_A_FILE = 'STORAGE_NOT_ALLOWED';

/** Several files in the form of ffmpeg's protocol: `concat:a.ts|b.ts`. */
const JOINED = /^(server:)?concatf?:(.*\|.*)$/is;

/**
 * The order with such local inputs as paths on the service, which rejects them with the request that joins the files. A file
 * that has such a name stays as it is.
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

/** The error with the whole command that joins the files, if the service has rejected such an input. Else the same error. */
export function withJoiningCommand(error: unknown, words: readonly OrderedArgument[]): unknown {
  const at = words.findIndex((word) => word.kind === 'file' && JOINED.test(word.text));
  const word = words[at];
  if (word?.kind !== 'file' || !(error instanceof ClientError)) return error;
  const number = words.slice(0, at).filter(({ kind }) => kind === 'file').length;
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
  const others = words.toSpliced(at, 1, ...files).filter((one) => one.kind === 'file' || one.name !== 'parameter');
  return new CommandFailed(EXIT.refused, rejected.code, rejected.message, {
    fix:
      options === undefined
        ? `Name the files as inputs, ${wordsText(files)}, and send --join encode.`
        : `Name the files, and join them: ${commandText([...others, ...options])}`,
    cause: error,
  });
}

/** How the fix of the service joins the files, with all options of the output. undefined if the fix does not do it. */
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
