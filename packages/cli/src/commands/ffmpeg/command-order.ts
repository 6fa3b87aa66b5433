import { resolve } from 'node:path';
import type { InputSpec, OutputSpec, Parameters } from '@telecine/contract/domain/conversion.ts';
import { optionText } from '@telecine/contract/domain/conversion.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { type ReadCommand, readCommand } from '@telecine/ffmpeg/command/read-command.ts';
import { usageError } from '../../session/command-failed.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import type { ConversionOrder, OrderedOutput } from '../convert/conversion-order.ts';
import { fileLocation } from '../convert/file-names.ts';
import type { CommandInput } from '../convert/inputs.ts';

/** The options of a command that change how it is run, not what it makes. */
export interface RunOptions {
  /** `y` replaces outputs that exist, `n` never does. undefined: the user is asked. */
  readonly overwrite: 'y' | 'n' | undefined;
  readonly mayAsk: boolean;
  readonly showsProgress: boolean;
  readonly showsWarnings: boolean;
  /** Where progress for programs goes. */
  readonly progressTo: 'stdout' | 'stderr' | undefined;
}

/** Reads the words after `ffmpeg`. Throws `CommandFailed` for a command that no request can express. */
export function orderOf(argv: readonly string[]): { readonly order: ConversionOrder; readonly run: RunOptions } {
  const { request, errors, leftOut, filterFiles } = readCommand(['ffmpeg', ...argv]);
  const [first] = errors;
  if (request === undefined) throw usageError(first?.code ?? '', first?.message ?? '', fixText(first?.fix));
  const { input, inputs = [input ?? ''], parameters = {} } = request;
  const written = request.outputs ?? [{ ...request, output: request.output ?? '', parameters }];
  const { y, ...shared } = request.outputs === undefined ? { y: parameters['y'] } : parameters;
  const outputs = written.map(outputOf) as [OrderedOutput, ...OrderedOutput[]];
  const order = {
    ...{ inputs: inputs.map(inputOf), output: { on: 'local', path: outputs[0].path } as const, outputs },
    ...{ filterFiles, parameters: plain(shared), replace: y !== undefined, strict: false },
  };
  rejectInPlace(order);
  return { order, run: runOptions(leftOut, order.replace) };
}

function inputOf(spec: string | InputSpec): CommandInput {
  const { input = '', source, parameters, duration } = typeof spec === 'string' ? ({ input: spec } as InputSpec) : spec;
  return {
    location: source === undefined ? fileLocation(input) : { on: 'server', path: source, isSource: true },
    ...{ parameters: parameters && plain(parameters), duration, crossfade: undefined },
  };
}

function outputOf({ output, format, parameters = {} }: OutputSpec): OrderedOutput {
  if (isUrl(output) || /^[a-z][a-z0-9+.-]+:\/\//i.test(output))
    throw usageError('NOT_A_FILE', `${output} is an address, and outputs are files.`, 'Name a file, such as out.mp4.');
  const { y: _, ...own } = parameters;
  return { path: output, format, parameters: plain(own) };
}

const plain = (parameters: Parameters): CommandParameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const text = optionText(value);
      return [name, typeof text === 'string' ? text : [...text]];
    }),
  );

function rejectInPlace({ inputs, outputs = [] as never }: ConversionOrder): void {
  const read = new Set(inputs.map(({ location }) => (location.on === 'local' ? resolve(location.path) : '')));
  const same = outputs.find(({ path }) => read.has(resolve(path)));
  if (same !== undefined)
    throw usageError('OUTPUT_IS_INPUT', `${same.path} is an input and an output.`, 'Name another output.');
}

/** Log levels of ffmpeg that hide its progress, and those that hide warnings too. */
const NO_PROGRESS = /^(?:.*\+)?(?:quiet|panic|fatal|error|warning|-8|0|8|16|24)$/;
const NO_WARNINGS = /^(?:.*\+)?(?:quiet|panic|fatal|error|-8|0|8|16)$/;

function runOptions(leftOut: ReadCommand['leftOut'], replace: boolean): RunOptions {
  const has = (name: string): boolean => leftOut.some(({ option }) => option === name);
  const lastOf = (...names: readonly string[]): string =>
    leftOut.findLast(({ option }) => names.includes(option))?.value ?? '';
  const level = lastOf('-v', '-loglevel');
  const target = lastOf('-progress');
  return {
    overwrite: replace ? 'y' : has('-n') ? 'n' : undefined,
    mayAsk: !has('-nostdin'),
    showsProgress: !has('-nostats') && (has('-stats') || !NO_PROGRESS.test(level)),
    showsWarnings: !NO_WARNINGS.test(level),
    progressTo: /^(?:-|pipe:1?)$/.test(target) ? 'stdout' : target === 'pipe:2' ? 'stderr' : undefined,
  };
}
