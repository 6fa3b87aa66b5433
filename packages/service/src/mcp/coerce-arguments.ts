import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { jsonGuardErrors } from '@telecine/contract/wire/json-guard.ts';
import { knownKeys, schemaAt, typeNames } from '@telecine/contract/wire/schema-at.ts';
import type { z } from 'zod';
import type { Tool } from './tool.ts';

/*
 * Models send arguments whose meaning is certain although the schema of the tool does not allow their JSON. REST
 * rejects the same values.
 */

type Schema = z.core.$ZodType;
/** Names that models give to an object in which they wrap the arguments of a tool. */
const WRAPPER = /^(?:arguments|args|params|parameters|input|inputs|payload|body|request|data|json|kwargs)$/i;

/** Names of the member in which models repeat the name of the tool. */
const TOOL = /^(?:name|tool|tool_?name)$/i;

/**
 * Removes a wrapper around the arguments: `{"arguments": {…}}` or `{"name": TOOL, "arguments": {…}}`. Returns other
 * arguments unchanged.
 */
function unwrapped(schema: Schema, sent: unknown, tool: string): unknown {
  if (!isMembers(sent)) return sent;
  const known = knownKeys(schema);
  const keys = Object.keys(sent).filter((key) => !(TOOL.test(key) && sent[key] === tool));
  const [name = '', ...others] = keys.filter((key) => !known.includes(key));
  if (others.length > 0 || !WRAPPER.test(name)) return sent;
  const inner = typeof sent[name] === 'string' ? parsed(sent[name]) : sent[name];
  if (!isMembers(inner)) return sent;
  const outside = keys.filter((key) => key !== name);
  const inside = Object.keys(inner);
  // If the call has other arguments too, the object may not be a wrapper: it may contain ffmpeg options or recipe
  // arguments.
  const isWrapper =
    outside.length === 0 || (inside.length > 0 && inside.every((key) => known.includes(key) && !outside.includes(key)));
  return isWrapper ? { ...Object.fromEntries(outside.map((key) => [key, sent[key]])), ...inner } : sent;
}

/** Texts longer than this are not parsed as JSON, in characters. */
const MAX_JSON = 50_000;

/**
 * Parses a JSON text that is a list or an object. undefined: another text, or JSON that the service must not process,
 * such as a deeply nested one.
 */
function parsed(text: string): unknown {
  if (text.length > MAX_JSON || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return jsonGuardErrors(value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the arguments of a tool by its schema, and corrects their types. A text becomes the number, boolean, list or
 * object that it spells (`"5"`, `"true"`, `"[1,2]"`). A number or boolean becomes a text (`"crf": 23`). A single value
 * becomes a list, and a list with one value becomes this value.
 *
 * @param tool The name of the tool.
 */
export const coerceArguments = (schema: Schema, sent: unknown, tool: string): unknown =>
  meantValue(schema, unwrapped(schema, sent, tool));

/** Reads the arguments of a tool by its schema, and corrects them by its `prepare`. */
export function coerceForTool(tool: Pick<Tool, 'name' | 'input' | 'prepare'>, sent: unknown): unknown {
  const meant = coerceArguments(tool.input, sent, tool.name);
  return tool.prepare === undefined ? meant : tool.prepare(meant);
}

/** Corrects a value by its schema. The recursion is only as deep as the schema, even for a deeply nested value. */
function meantValue(schema: Schema | undefined, sent: unknown): unknown {
  const types = typeNames(schema);
  if (schema === undefined || types.length === 0) return sent;
  const value = asElement(schema, types, sent);
  const meant = typeof value === 'string' ? (readText(types, value) ?? value) : value;
  if (Array.isArray(meant))
    return types.includes('array') ? meant.map((one) => meantValue(schemaAt(schema, [0]), one)) : meant;
  if (isMembers(meant))
    return types.includes('object')
      ? Object.fromEntries(Object.entries(meant).map(([key, one]) => [key, meantValue(schemaAt(schema, [key]), one)]))
      : meant;
  const isScalar = typeof meant === 'number' || typeof meant === 'boolean';
  return isScalar && types.includes('string') && !types.includes(typeof meant) ? String(meant) : meant;
}

/**
 * If the field takes a list, turns a single value into a list. If the field takes a single value, turns a list of one
 * into that value.
 */
function asElement(schema: Schema, types: readonly string[], value: unknown): unknown {
  const isList = types.includes('array');
  const isScalar = types.some((type) => SCALARS.has(type) || type === 'enum');
  if (isScalar && !isList && Array.isArray(value) && value.length === 1 && SCALARS.has(typeof value[0]))
    return value[0];
  if (!isList || types.length > 1 || !SCALARS.has(typeof value)) return value;
  // Leave a text with several names as it is: it has an error of its own.
  if (typeof value === 'string' && !/^[^\s,;|*?[\]{}]+$/.test(value)) return value;
  const of = typeNames(schemaAt(schema, [0]));
  return of.includes(typeof value) || of.includes('enum') ? [value] : value;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;

/**
 * Returns the number, boolean, list or object (JSON) that a text spells. undefined: it spells none that the field
 * takes, or the field also takes texts.
 */
function readText(types: readonly string[], text: string): unknown {
  if (types.includes('string') || types.includes('enum')) return undefined;
  const plain = text.trim();
  if (types.includes('number') && NUMBER.test(plain)) return Number(plain);
  if (types.includes('boolean') && /^(?:true|false)$/i.test(plain)) return plain.toLowerCase() === 'true';
  const value = parsed(plain);
  return types.includes(Array.isArray(value) ? 'array' : 'object') ? value : undefined;
}
