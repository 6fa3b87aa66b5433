import type { ConversionRequest, Parameters } from '../../domain/conversion.ts';
import { extension, parseMediaPath } from '../../domain/media-path.ts';
import { chooseFormat } from '../plan/chosen-format.ts';
import { isFault, readOptionName } from '../plan/option-name.ts';
import { dependsOnMuxer } from '../plan/placement.ts';
import { CLI_RULES } from '../policy/cli-rules.ts';
import { refusalOf } from '../policy/refusals.ts';
import { type Catalogue, usesOf } from './catalogue.ts';

/** What has to be asked of the program before a request can be planned. */
export interface Missing {
  /** Options of ffmpeg's own, without specifiers. */
  readonly options: readonly string[];
  readonly muxers: readonly string[];
}

/** undefined: all is known, which is so for nearly every request but the first ones. */
export function missingFacts(request: ConversionRequest, catalogue: Catalogue): Missing | undefined {
  const options = new Set<string>();
  let asksMuxer = collect(request.parameters, catalogue, options);
  for (const input of request.inputs ?? [])
    if (typeof input !== 'string') asksMuxer = collect(input.parameters, catalogue, options) || asksMuxer;
  const muxer = asksMuxer ? muxerOf(request, catalogue) : undefined;
  const muxers = muxer === undefined || catalogue.muxerOptions.has(muxer) ? [] : [muxer];
  return options.size === 0 && muxers.length === 0 ? undefined : { options: [...options], muxers };
}

/** Adds the options that were never asked about to `into`; true: a placement depends on the muxer. */
function collect(parameters: Parameters | undefined, catalogue: Catalogue, into: Set<string>): boolean {
  let asksMuxer = false;
  if (parameters === undefined) return asksMuxer;
  for (const key of Object.keys(parameters)) {
    const read = readOptionName(key);
    if (isFault(read) || refusalOf(read.name) !== undefined) continue;
    const facts = catalogue.cli.get(read.name);
    const mayAsk = CLI_RULES.has(read.name);
    if (mayAsk && (facts === null || (facts === undefined && isSwitchedOff(read.name, catalogue)))) into.add(read.name);
    else if (facts === undefined && dependsOnMuxer(usesOf(catalogue, read.name))) asksMuxer = true;
  }
  return asksMuxer;
}

/** `noautoscale`: the help lists only `autoscale`. */
const isSwitchedOff = (name: string, catalogue: Catalogue): boolean =>
  name.startsWith('no') && catalogue.cli.has(name.slice(2));

/** The root has no part in an extension. */
function muxerOf(request: ConversionRequest, catalogue: Catalogue): string | undefined {
  const output = parseMediaPath(request.output, '/');
  return chooseFormat(request, typeof output === 'string' ? extension(output) : '', catalogue.muxers, [])?.muxer;
}
