import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { jsonGuardErrors } from '@telecine/contract/wire/json-guard.ts';
import { schemaAt, typeNames } from '@telecine/contract/wire/schema-at.ts';
import type { z } from 'zod';

/** Texts longer than this are not parsed as JSON, in characters. */
const MAX_JSON = 50_000;

/**
 * Reads arguments whose meaning is certain, although the schema of the tool does not allow their JSON: the JSON of a
 * value as text, one value for a list, a number for a text, a recipe by its name, and options with a dash or as the
 * list of a command. REST rejects the same values.
 *
 * @param name The name of the argument.
 */
export function coerceArguments(schema: z.core.$ZodType | undefined, sent: unknown, name = ''): unknown {
  const types = typeNames(schema);
  // The recursion is only as deep as the schema, even for a deeply nested value.
  if (schema === undefined || types.length === 0) return sent;
  const value = name === 'parameters' ? optionsOf(readValue(types, sent)) : readValue(types, sent);
  if (name === 'preset' && typeof value === 'string' && !types.includes('string')) return { name: value };
  if (Array.isArray(value))
    return types.includes('array') ? value.map((one) => coerceArguments(schemaAt(schema, [0]), one)) : value;
  if (!isMembers(value) || !types.includes('object')) return value;
  const members = Object.entries(value).map(([key, one]) => [key, coerceArguments(schemaAt(schema, [key]), one, key)]);
  return Object.fromEntries(members);
}

/** Converts a value to a JSON type that the field accepts. Leaves other values unchanged. */
function readValue(types: readonly string[], sent: unknown): unknown {
  const acceptsText = types.includes('string') || types.includes('enum');
  const value = typeof sent === 'string' && !acceptsText ? (parsedAs(types, sent) ?? sent) : sent;
  if (!['string', 'number', 'boolean'].includes(typeof value) || types.includes(typeof value)) return value;
  // A parameter of a query is a text, also one that is true or false.
  if (types.includes('string') || (types.includes('enum') && typeof value === 'boolean')) return String(value);
  // Several names in one text are not one value.
  return types.join() === 'array' && /^[^\s,;|*?[\]{}]+$/.test(String(value)) ? [value] : value;
}

/** Parses a text as JSON of one of the types. undefined: it has another type, or the service must not process it. */
function parsedAs(types: readonly string[], text: string): unknown {
  if (text.length > MAX_JSON || !/^\s*(?:[[{]|-?\d|true\s*$|false\s*$)/i.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(/^\s*[tf]/i.test(text) ? text.toLowerCase() : text);
    const type = Array.isArray(value) ? 'array' : typeof value;
    return types.includes(type) && jsonGuardErrors(value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

const OPTION = /^-(?=[a-z])/i;

/** Removes the dash of options: `{"-crf": "23"}`, or `["-crf", "23", "-an"]`. Leaves an unclear list unchanged. */
function optionsOf(sent: unknown): unknown {
  if (isMembers(sent))
    return Object.fromEntries(
      Object.entries(sent).map(([key, value]) => {
        const name = key.replace(OPTION, '');
        return [Object.hasOwn(sent, name) ? key : name, value];
      }),
    );
  if (!Array.isArray(sent) || !sent.every((one) => typeof one === 'string')) return sent;
  const options = new Map<string, readonly string[]>();
  for (const [at, word] of sent.entries()) {
    const [name, next = '-an'] = [word.replace(OPTION, ''), sent[at + 1]];
    if (name !== word) options.set(name, [...(options.get(name) ?? []), OPTION.test(next) ? '' : next]);
    // Two words without a dash after each other: the second may be a file.
    else if (!OPTION.test(sent[at - 1] ?? '')) return sent;
  }
  return Object.fromEntries([...options].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
