import { resolve } from 'node:path';
import type { ConversionRequest } from '@telecine/client/api.ts';
import { defined, definedMembers } from '@telecine/contract/domain/defined.ts';
import { GRAPH_OPTIONS, renameFilterFiles } from '@telecine/ffmpeg/command/read-command.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import { type CallerNames, type CommandFiles, callerNames, filesOf, type InputUpload } from './caller-names.ts';
import {
  COUNTER,
  counted,
  type FileLocation,
  framePath,
  replacePlaceholders,
  splitOutputs,
  uploadName,
} from './file-names.ts';
import type { CommandInput } from './inputs.ts';
import { namesOfOutput, siblingsOf } from './output-names.ts';

type PlainField =
  | 'join'
  | 'cut'
  | 'transcribe'
  | 'chunks'
  | 'quality'
  | 'ladder'
  | 'frameSize'
  | 'format'
  | 'preset'
  | 'metadata'
  | 'expiresAfterSeconds'
  | 'priority'
  | 'encrypt';

/** The fields that the order and the request have in the same form. */
type PlainFields = { readonly [Field in PlainField]?: ConversionRequest[Field] | undefined };

/** One output of a command of ffmpeg. */
export interface OrderedOutput {
  readonly path: string;
  readonly format?: string | undefined;
  readonly parameters: CommandParameters;
}

/** What the command line says about an output, without its name. */
export interface OutputOrder extends PlainFields {
  readonly parameters: CommandParameters;
  readonly replace: boolean;
  readonly strict: boolean;
}

/** A conversion as the command line describes it. */
export interface ConversionOrder extends OutputOrder {
  readonly inputs: readonly CommandInput[];
  readonly output: FileLocation;
  /** The recipe arguments that are files. */
  readonly roleFiles?: readonly { readonly role: string; readonly location: FileLocation }[];
  /** Present for a command of ffmpeg: its local outputs, of which `output` is the first. Values of its options have no placeholders. */
  readonly outputs?: readonly [OrderedOutput, ...OrderedOutput[]];
  /** The inputs that filters of a command of ffmpeg read. */
  readonly filterFiles?: readonly string[];
}

export const locationsOf = ({ inputs, output }: ConversionOrder): readonly FileLocation[] => [
  ...inputs.map(({ location }) => location),
  output,
];

/** The outputs on this machine. */
export const localOutputs = ({ output, outputs, format, parameters }: ConversionOrder): readonly OrderedOutput[] =>
  outputs ?? (output.on === 'local' ? [{ path: output.path, format, parameters }] : []);

/** The request of an order, its uploads and its download. */
export interface PreparedConversion extends CommandFiles {
  readonly request: ConversionRequest;
  readonly names: CallerNames;
}

/** @param folder The folder of this command in the media root, without a trailing slash. */
export function prepareConversion(order: ConversionOrder, folder: string): PreparedConversion {
  const { inputs, output, outputs, filterFiles, roleFiles = [], ...plain } = order;
  const { parameters: sent, preset } = plain;
  const paths = inputs.map(({ location, frames }, index) => {
    if (location.on === 'server') return location.path;
    return frames === undefined
      ? `${folder}/${uploadName(index, location.path)}`
      : framePath(folder, index, location.path, COUNTER);
  });
  const ordered = localOutputs(order);
  const local = splitOutputs(ordered.map(({ path }) => path));
  const base = `${folder}/out/`;
  const uploads = inputs.flatMap(({ location, frames }, index): readonly InputUpload[] => {
    if (location.on === 'server') return [];
    const upload = { file: location.path, path: paths[index] ?? '', index };
    if (frames === undefined) return [upload];
    const pathOf = (number: number): string => framePath(folder, index, location.path, counted(number));
    return [{ ...upload, frames: frames.map(({ file, number }) => ({ file, path: pathOf(number) })) }];
  });
  const roles = roleFiles.map(({ role, location }, at) => {
    const index = paths.length + at;
    const isLocal = location.on === 'local';
    const path = isLocal ? `${folder}/${uploadName(index, location.path)}` : location.path;
    return { role, path, upload: isLocal ? [{ file: location.path, path, index, role }] : [] };
  });
  const ofRoles = Object.fromEntries(roles.map(({ role, path }) => [role, path]));
  const allUploads = [...uploads, ...roles.flatMap(({ upload }) => upload)];
  const files = {
    folder,
    uploads: allUploads,
    inputs: paths.length + roles.length,
    fetch:
      ordered.length === 0
        ? undefined
        : {
            ...{ folder: local.folder, base },
            names: ordered.flatMap((one, at) => namesOfOutput(local.paths[at] ?? '', { ...one, preset })),
            ...(preset && {
              siblings: local.paths.flatMap(siblingsOf),
              inputs: filesOf(allUploads).map(({ file }) => resolve(file)),
            }),
          },
  };
  const uploadOfFile = (file: string): string =>
    paths[inputs.findLastIndex(({ location }) => location.path === file)] ?? file;
  const fill = (some: CommandParameters): CommandParameters =>
    outputs === undefined
      ? fillPlaceholders(some, paths)
      : filterFiles?.length
        ? withFilterFiles(some, uploadOfFile)
        : some;
  return {
    request: definedMembers<ConversionRequest>({
      ...inputsOf(inputs, paths, fill),
      ...outputMembers({ ...plain, parameters: fill(sent) }),
      ...(outputs === undefined
        ? { output: output.on === 'local' ? `${base}${local.paths[0]}` : output.path }
        : {
            outputs: outputs.map((one, at) => ({
              output: `${base}${local.paths[at]}`,
              ...(one.format !== undefined && { format: one.format }),
              ...(Object.keys(one.parameters).length > 0 && { parameters: fill(one.parameters) }),
            })),
          }),
      preset: preset && (roles.length > 0 ? { ...preset, arguments: { ...preset.arguments, ...ofRoles } } : preset),
    }),
    ...files,
    names: callerNames({ ...files, parameters: sent }),
  };
}

/** The members of a request that describe its output. */
export function outputMembers({
  replace,
  strict,
  parameters: sent,
  ...plain
}: OutputOrder): Partial<ConversionRequest> {
  // `replace` becomes "y". It replaces nothing on the service, where the path of a local output is new. But it makes the service reject a
  // contradicting "n".
  const parameters = { ...sent, ...(replace && { y: '' }) };
  return defined({
    ...plain,
    parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
    strict: strict || undefined,
  });
}

function inputsOf(
  inputs: readonly CommandInput[],
  paths: readonly string[],
  fill: (some: CommandParameters) => CommandParameters,
): Pick<ConversionRequest, 'input' | 'inputs'> {
  const specs = inputs.map(({ location, frames, parameters: sent, duration, crossfade }, index) => {
    const parameters = frames === undefined ? sent : withoutWildcard(sent);
    const path = paths[index] ?? '';
    return {
      ...(location.on === 'server' && location.isSource === true ? { source: path } : { input: path }),
      ...(parameters !== undefined && { parameters: fill(parameters) }),
      ...(duration !== undefined && { duration }),
      ...(crossfade !== undefined && { crossfade }),
    };
  });
  const [first] = specs;
  return first !== undefined && 'input' in first && specs.length === 1 && Object.keys(first).length === 1
    ? { input: first.input }
    : { inputs: specs };
}

/** Removes the option for wildcards, because uploaded frames have numbered names. */
function withoutWildcard({ pattern_type: _, ...parameters }: CommandParameters = {}): CommandParameters | undefined {
  return Object.keys(parameters).length === 0 ? undefined : parameters;
}

/** Names the uploads in filtergraphs that name the files of the user. */
function withFilterFiles(sent: CommandParameters, uploadOf: (file: string) => string): CommandParameters {
  const renamed = (value: string): string => renameFilterFiles(value, uploadOf);
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      !GRAPH_OPTIONS.test(name) ? value : typeof value === 'string' ? renamed(value) : value.map(renamed),
    ]),
  );
}

const fillPlaceholders = (parameters: CommandParameters, paths: readonly string[]): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? replacePlaceholders(value, paths)
        : value.map((one) => replacePlaceholders(one, paths)),
    ]),
  );
