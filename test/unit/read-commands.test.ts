import { expect, test } from 'vitest';
import {
  type ConversionRequest,
  type InputSpec,
  optionText,
  type Parameters,
} from '../../packages/contract/src/domain/conversion.ts';
import { shellWord } from '../../packages/contract/src/domain/shell-text.ts';
import { readCommand } from '../../packages/ffmpeg/src/command/read-command.ts';
import { FAMILIES } from '../common-requests/families.ts';

/** The requests of people that ffmpeg's command line can say: without a recipe, a join or a slideshow. */
const REQUESTS = Object.values(FAMILIES)
  .flat()
  .filter(({ request: { join, preset, analysis, encrypt, thumbnailTrack, inputs = [] } }) =>
    [join, preset, analysis, encrypt, thumbnailTrack, ...inputs.map(durationOf)].every((one) => one === undefined),
  )
  .map(({ title, request }) => ({ title, request }));

function durationOf(input: string | InputSpec): string | undefined {
  if (typeof input === 'string' || input.source !== undefined) return undefined;
  return input.duration ?? input.crossfade;
}

const words = (parameters: Parameters = {}): readonly string[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    [optionText(value)].flat().flatMap((one) => (one === '' ? [`-${name}`] : [`-${name}`, one])),
  );

function commandOf({ input, inputs = [], output, outputs, format, parameters }: ConversionRequest): string {
  const read = (input === undefined ? inputs : [input]).flatMap((one) => {
    if (typeof one === 'string') return ['-i', one];
    const { source, duration } = one;
    if (source === undefined) return [...words(one.parameters), '-i', one.input ?? ''];
    const length = duration === undefined ? [] : ['-t', duration];
    return ['-f', 'lavfi', ...length, ...words(one.parameters), '-i', source];
  });
  const muxer = (name: string | undefined) => (name === undefined ? [] : ['-f', name]);
  const written = (outputs ?? []).flatMap((one) => [...words(one.parameters), ...muxer(one.format), one.output]);
  const last = output === undefined ? written : [...muxer(format), output];
  return ['ffmpeg', ...read, ...words(parameters), ...last].map(shellWord).join(' ');
}

const isListed = ({ parameters = {} }: ConversionRequest): boolean => 'f' in parameters;

test.each(REQUESTS.filter(({ request }) => request.outputs === undefined && !isListed(request)))(
  'a pasted command is the request that says the same: $title',
  ({ request }) => {
    const { request: read, errors } = readCommand(commandOf(request));
    expect(errors).toEqual([]);
    const { input, inputs, output, format, parameters } = request;
    const plain = inputs?.map((one) => (typeof one === 'string' || one.parameters || one.source ? one : one.input));
    const [only, ...others] = plain ?? [];
    const isSingle = typeof only === 'string' && others.length === 0;
    const isEmpty = Object.keys(parameters ?? {}).length === 0;
    expect(read).toEqual({
      ...(input !== undefined ? { input } : isSingle ? { input: only } : { inputs: plain }),
      output,
      ...(format !== undefined && { format }),
      ...(!isEmpty && { parameters: withPlainFlags(parameters ?? {}) }),
    });
  },
);

/** A list of one value is the value, in a command. */
const withPlainFlags = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 1 ? value[0] : value,
    ]),
  );
