import { extname } from 'node:path';
import { pathOfInput, requestedOutputs } from '../../packages/contract/src/domain/conversion.ts';
import type { CommonRequest } from './common-request.ts';

/** Filters that open a file or a font. */
const FILE_FILTERS = /\b(subtitles|ass|drawtext|lut3d|haldclut|textfile)=/g;

/** The filters of a request that open a file or a font. */
export const fileFiltersOf = ({ request }: CommonRequest): readonly string[] =>
  Array.from(JSON.stringify(request).matchAll(FILE_FILTERS), ([, name = '']) => name);

/** Options that decide which files there are, or name one. */
const FILE_OPTIONS =
  /^(?:pass|attach|f|format|pattern_type|y|movflags|(?:hls|seg|segment|init|media|stream|single|dash)_)/;

/** A file, a pattern of several files, or a source without a file. */
const kindOf = (path: string | undefined): string => {
  if (path === undefined) return 'source';
  return /[%*]/.test(path) ? 'pattern' : 'file';
};

/**
 * What a request does with stored files: the kinds of its inputs, what is probed of them, how it reads files, and the kinds of its outputs.
 * ffmpeg reads and writes local files on each engine, so an engine does the same for each request of the same access.
 */
export function accessOf(common: CommonRequest): string {
  const { input, inputs = [input ?? ''], output, outputs, parameters = {}, preset, ...others } = common.request;
  const specs = inputs.map((one) => (typeof one === 'string' ? {} : (one.parameters ?? {})));
  const options = [parameters, ...specs].flatMap((one) => Object.keys(one)).filter((name) => FILE_OPTIONS.test(name));
  return JSON.stringify([
    inputs.map((one) => kindOf(pathOfInput(one))),
    requestedOutputs({ ...(output !== undefined && { output }), ...(outputs !== undefined && { outputs }) }).map(
      ({ path }) => `${kindOf(path)}${extname(path)}`,
    ),
    [...new Set([...options, ...Object.keys(others), ...fileFiltersOf(common)])].sort(),
    preset === undefined ? 'no recipe' : Object.keys(common.facts ?? {}).sort(),
  ]);
}

/** One request of each access. */
export const ofEachAccess = (requests: readonly CommonRequest[]): readonly CommonRequest[] =>
  [...Map.groupBy(requests, accessOf).values()].flatMap((same) => same.slice(0, 1));
