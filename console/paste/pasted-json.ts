import type { ConversionRequest } from '@telecine/client';
import { isMembers } from '../../packages/contract/src/domain/structured-values.ts';
import { REQUEST_MEMBERS } from '../jobs/job-request.ts';
import type { Finding } from './use-pasted.ts';

type Kind = 'text' | 'list' | 'object';

/** The members that the draft takes apart. The service checks the others. */
const KINDS: Readonly<Partial<Record<keyof ConversionRequest, Kind>>> = {
  input: 'text',
  inputs: 'list',
  output: 'text',
  outputs: 'list',
  format: 'text',
  parameters: 'object',
  preset: 'object',
};

const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  text: 'a text in quotes',
  list: 'a list in brackets',
  object: 'an object in braces',
};

/** Whether a text is meant as JSON. No command begins with a brace. */
export const isJson = (text: string): boolean => text.trimStart().startsWith('{');

export interface PastedJson {
  readonly request?: ConversionRequest;
  readonly mistakes: readonly Finding[];
}

/** Reads the JSON of a request. */
export function readPastedJson(text: string): PastedJson {
  const read = readRequest(text);
  if ('request' in read) return { request: read.request, mistakes: [] };
  const at = read.name === undefined ? -1 : text.indexOf(JSON.stringify(read.name));
  const range = at < 0 ? { from: 0, to: 0 } : { from: at, to: at + JSON.stringify(read.name).length };
  return { mistakes: [{ ...range, message: read.message, fix: read.fix }] };
}

interface Mistake {
  /** The member with the mistake. */
  readonly name?: string;
  readonly message: string;
  readonly fix: string;
}

function readRequest(text: string): { readonly request: ConversionRequest } | Mistake {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message.replace(/\.$/, '')}` : '';
    return { message: `The text is not JSON${why}.`, fix: 'Paste the whole request, with its last brace.' };
  }
  const unknown = Object.keys(value).find((name) => !REQUEST_MEMBERS.includes(name as keyof ConversionRequest));
  if (unknown !== undefined)
    return {
      name: unknown,
      message: `A request has no member "${unknown}".`,
      fix: 'Remove it, or use one of: input, inputs, output, parameters, preset.',
    };
  for (const [name, kind] of Object.entries(KINDS))
    if (value[name] !== undefined && !isOfKind(value[name], kind))
      return { name, message: `"${name}" must be ${KIND_TEXTS[kind]}.`, fix: 'Correct it here.' };
  return { request: value as ConversionRequest };
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'list') return Array.isArray(value) && value.every((one) => typeof one === 'string' || isMembers(one));
  return isMembers(value);
}
