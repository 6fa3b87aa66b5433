import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '../../domain/client.ts';
import { closestMatch } from '../../domain/closest-match.ts';
import { meantField } from '../../domain/synonyms/field-words.ts';
import { plainText } from '../../domain/text-validation.ts';
import { toolsOf } from '../tool-names.ts';
import { convertForWeb } from './convert-for-web.ts';
import { extractAudio } from './extract-audio.ts';
import type { Prompt, PromptArgument } from './prompt.ts';
import { shrinkToSize } from './shrink-to-size.ts';

const PROMPTS: readonly Prompt[] = [convertForWeb, shrinkToSize, extractAudio];

const MAX_ARGUMENT_LENGTH = 1000;

/** The prompts of a caller: none without the tool that all of them use. */
export const listPrompts = (caller: Caller) => (toolsOf(caller)('convert_media') ? LISTED : []);

const LISTED = PROMPTS.map(({ name, title, description, arguments: args }) => ({
  name,
  title,
  description,
  arguments: args.map((one) => ({ name: one.name, description: one.description, required: one.required })),
}));

/** Finds a prompt. Throws InvalidParams with the closest name. */
export function findPrompt(name: string): Prompt {
  const found = PROMPTS.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = PROMPTS.map((one) => one.name);
  const match = closestMatch(name, names);
  throw invalid(
    `There is no prompt "${name.slice(0, 64)}". ${match === undefined ? `Use one of: ${names.join(', ')}.` : `Did you mean ${match}?`}`,
  );
}

export function getPrompt(
  caller: Caller,
  name: string,
  values: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = findPrompt(name);
  const { renamed, errors } = renamedArguments(prompt, values);
  const entries = prompt.arguments.map((argument) => {
    const value = plainText(renamed[argument.name] ?? '').trim();
    const read = value === '' ? undefined : argument.read?.(value);
    const error = errorOf(prompt, argument, value, read);
    if (error !== undefined) errors.push(error);
    return [argument.name, read === undefined ? value : String(read)] as const;
  });
  if (errors.length > 0) throw invalid(errors.join(' '));
  const text = prompt.text(Object.fromEntries(entries), toolsOf(caller));
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** The arguments by the names that the prompt has, and an error for each unknown name. */
function renamedArguments(
  { name: prompt, arguments: known }: Prompt,
  values: Readonly<Record<string, string>>,
): { readonly renamed: Readonly<Record<string, string>>; readonly errors: string[] } {
  const names = known.map(({ name }) => name);
  const entries = Object.entries(values);
  const renamed = Object.fromEntries(entries.filter(([name]) => names.includes(name)));
  const unknown = entries.filter(([name]) => !names.includes(name)).slice(0, MAX_UNKNOWN);
  const errors = unknown.map(([name, value]) => {
    const wrong = `The prompt ${prompt} has no argument ${JSON.stringify(name.slice(0, 64))}`;
    const meant =
      WORDS.find(([words]) => words.test(name))?.[1] ?? meantField(name, names) ?? closestMatch(name, names);
    if (meant === undefined || !names.includes(meant) || Object.hasOwn(renamed, meant))
      return `${wrong}, only ${names.join(', ')}. Leave it out, and add what it means to the call that the prompt describes.`;
    renamed[meant] = value;
    const read = known.find((one) => one.name === meant)?.read?.(value.trim()) ?? value;
    return `${wrong}. Send ${JSON.stringify(meant)}: ${JSON.stringify(String(read).slice(0, 200))}.`;
  });
  return { renamed, errors };
}

/** The most unknown arguments that an error names. */
const MAX_UNKNOWN = 5;

/** Words for arguments of prompts. In a conversion they mean something else. */
const WORDS: readonly (readonly [words: RegExp, name: string])[] = [
  [/^(?:video|audio|film|movie|song|clip)$/i, 'input'],
  [/codec$|^audio_?format$/i, 'format'],
];

/** What is wrong with the value of an argument, which is '' if there is none. `meant`: what it is read as. */
function errorOf(
  { name: prompt }: Prompt,
  { name, description, required, read, wanted = 'a number' }: PromptArgument,
  value: string,
  meant: number | string | undefined,
): string | undefined {
  if (required && value === '') return `The prompt ${prompt} needs the argument "${name}": ${description}`;
  if (value.length > MAX_ARGUMENT_LENGTH)
    return `The argument "${name}" is longer than ${MAX_ARGUMENT_LENGTH} characters.`;
  return value !== '' && read !== undefined && meant === undefined
    ? `The argument "${name}" must be ${wanted}, not ${JSON.stringify(value.slice(0, 64))}: ${description}`
    : undefined;
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
