import { getNodeValue, type Node, parseTree, visit } from 'jsonc-parser';
import { type FieldError, pointerToken } from '../domain/problem.ts';
import type { Members } from '../domain/structured-values.ts';
import { MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY_VALUES } from './json-guard.ts';

/**
 * The errors for names that an object contains twice with different values: JSON.parse keeps only the last. `document`: the parsed text.
 */
export function repeatedNames(text: string, document: unknown): readonly FieldError[] {
  // First count the names. This is much faster than the tree that the messages need.
  if (!hasMoreNames(text, countNames(document))) return [];
  const limit = limitError(text);
  if (limit !== undefined) return [limit];
  const root = parseTree(text);
  return root === undefined ? [] : repeatedIn(root, '');
}

/** Whether a text contains more than `count` names. A quote before a colon ends a name. A quote in a string has a backslash before it. */
function hasMoreNames(text: string, count: number): boolean {
  let found = 0;
  for (let colon = text.indexOf(':'); colon >= 0 && found <= count; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1;
    while (text.charCodeAt(end) <= SPACE) end -= 1;
    if (text[end] === '"' && text[end - 1] !== '\\') found += 1;
  }
  return found > count;
}

/** Up to this character, JSON allows only white space outside strings. White space may be between a name and its colon. */
const SPACE = ' '.charCodeAt(0);

/** The error for a text with more values or deeper nesting than a body may have. A tree of such a text would take far more memory. */
function limitError(text: string): FieldError | undefined {
  let found: FieldError | undefined;
  let values = 0;
  let depth = 0;
  const check = (): void => {
    if (depth > MAX_DEPTH) found = TOO_DEEP;
    if (values > MAX_VALUES) found = TOO_MANY_VALUES;
    if (found !== undefined) throw new Error('Ends the visit.');
  };
  const count = (): void => {
    values += 1;
    check();
  };
  const enter = (): void => {
    depth += 1;
    count();
  };
  const leave = (): void => {
    depth -= 1;
  };
  try {
    visit(text, {
      onObjectBegin: enter,
      onArrayBegin: enter,
      onObjectEnd: leave,
      onArrayEnd: leave,
      onLiteralValue: count,
    });
  } catch (error) {
    if (found === undefined) throw error;
  }
  return found;
}

function countNames(document: unknown): number {
  let count = 0;
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const one of value) if (typeof one === 'object') waiting.push(one);
      continue;
    }
    for (const name in value) {
      count += 1;
      const member = (value as Members)[name];
      if (typeof member === 'object') waiting.push(member);
    }
  }
  return count;
}

function repeatedIn({ type, children = [] }: Node, pointer: string): readonly FieldError[] {
  if (type === 'array') return children.flatMap((child, index) => repeatedIn(child, `${pointer}/${index}`));
  if (type !== 'object') return [];
  const members = new Map<string, Node[]>();
  for (const { children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const nodes = members.get(name);
    if (nodes === undefined) members.set(name, [value]);
    else nodes.push(value);
  }
  return [...members].flatMap(([name, nodes]) => {
    const field = `${pointer}/${pointerToken(name)}`;
    const inner = nodes.flatMap((node) => repeatedIn(node, field));
    const values = nodes.map((node) => getNodeValue(node) as unknown);
    const isSame = new Set(values.map((value) => JSON.stringify(value))).size === 1;
    return isSame ? inner : [repeated(field, name), ...inner];
  });
}

const shortened = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

const repeated = (field: string, name: string): FieldError => ({
  field,
  code: 'REPEATED_NAME',
  message: `The object has ${shortened(name)} more than once, with different values.`,
});
