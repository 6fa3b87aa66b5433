import type { ConversionBody } from '../../../client/client.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import type { FileLocation } from './file-location.ts';
import type { CommandInput } from './inputs.ts';
import { type LocalOutput, replacePlaceholders, splitOutput, uploadName } from './output-names.ts';

/** What the command line asks for. */
export interface ConversionOrder {
  readonly inputs: readonly CommandInput[];
  readonly output: FileLocation;
  readonly format: string | undefined;
  readonly parameters: CommandParameters;
  /** Replaces what has the output's name. */
  readonly replace: boolean;
}

/** A local file and the path that it gets in the media root. */
export interface InputUpload {
  readonly file: string;
  readonly path: string;
}

/** An order as the service is told it, and what goes over before and after. */
export interface PreparedConversion {
  readonly request: ConversionBody;
  readonly uploads: readonly InputUpload[];
  /** Where the output is fetched to; undefined: it stays on the service. */
  readonly fetch:
    | (LocalOutput & { /** What the service's paths of it begin with. */ readonly base: string })
    | undefined;
}

/** @param folder In the media root, for this one command, with no slash at its end. */
export function prepareConversion(order: ConversionOrder, folder: string): PreparedConversion {
  const paths = order.inputs.map(({ place }, index) =>
    place.on === 'server' ? place.path : `${folder}/${uploadName(index, place.path)}`,
  );
  const local = order.output.on === 'here' ? splitOutput(order.output.path) : undefined;
  const base = `${folder}/out/`;
  // A local output is looked after here: on the service its name is always free.
  const parameters = { ...filled(order.parameters, paths), ...(order.replace && local === undefined && { y: '' }) };
  return {
    request: {
      ...inputsOf(order.inputs, paths),
      output: local === undefined ? order.output.path : `${base}${local.path}`,
      ...(order.format !== undefined && { format: order.format }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    },
    uploads: order.inputs.flatMap(({ place }, index) =>
      place.on === 'here' ? [{ file: place.path, path: paths[index] ?? '' }] : [],
    ),
    fetch: local && { ...local, base },
  };
}

function inputsOf(inputs: readonly CommandInput[], paths: readonly string[]): Pick<ConversionBody, 'input' | 'inputs'> {
  const specs = inputs.map(({ parameters, duration, crossfade }, index) => ({
    input: paths[index] ?? '',
    ...(parameters !== undefined && { parameters: filled(parameters, paths) }),
    ...(duration !== undefined && { duration }),
    ...(crossfade !== undefined && { crossfade }),
  }));
  const [first] = specs;
  return first !== undefined && specs.length === 1 && Object.keys(first).length === 1
    ? { input: first.input }
    : { inputs: specs };
}

const filled = (parameters: CommandParameters, paths: readonly string[]): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? replacePlaceholders(value, paths)
        : value.map((one) => replacePlaceholders(one, paths)),
    ]),
  );
