type Call = (this: unknown, ...args: unknown[]) => unknown;
/** The elements or characters that one call walked. */
type Walked = (self: never, result: unknown, args: readonly unknown[]) => number;

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) || ArrayBuffer.isView(value)
    ? ((value as { readonly length?: number }).length ?? 0)
    : 0;
const sizeOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? lengthOf(value) : Object.keys(value).length;

const whole: Walked = (self) => lengthOf(self);
const resultLength: Walked = (_, result) => lengthOf(result);
const both: Walked = (self, result) => lengthOf(self) + lengthOf(result);
const argument: Walked = (_self, _result, [value]) => lengthOf(value);
const argumentSize: Walked = (_self, _result, [value]) => sizeOf(value);
/** `indexOf`: up to what was found, or up to the end. */
const upToIndex: Walked = (self, result, [, from]) =>
  (result === -1 ? lengthOf(self) : Number(result) + 1) - Math.min(Number(from ?? 0), lengthOf(self));
/** From the end down to what was found. */
const downToIndex: Walked = (self, result) => lengthOf(self) - Math.max(0, Number(result));
/** `includes`: the position is not known if it was found. */
const upToFound: Walked = (self, result, [value, from]) =>
  result === true
    ? (self as readonly unknown[]).indexOf(value, Number(from ?? 0)) + 1
    : lengthOf(self) - Number(from ?? 0);

const ARRAYS: Readonly<Record<string, Walked>> = {
  concat: resultLength,
  copyWithin: whole,
  fill: whole,
  flat: both,
  includes: upToFound,
  indexOf: upToIndex,
  join: both,
  lastIndexOf: downToIndex,
  reverse: whole,
  // An array moves its elements at both.
  shift: whole,
  unshift: whole,
  slice: resultLength,
  sort: whole,
  splice: both,
  toReversed: whole,
  toSorted: whole,
  toSpliced: whole,
  with: whole,
};

/** `slice`, `substring` and `trim` share the characters of their text, and copy none. */
const STRINGS: Readonly<Record<string, Walked>> = {
  includes: upToFound,
  indexOf: upToIndex,
  isWellFormed: whole,
  lastIndexOf: downToIndex,
  localeCompare: whole,
  normalize: whole,
  padEnd: resultLength,
  padStart: resultLength,
  repeat: resultLength,
  // With a regular expression, `exec` counts too.
  replace: whole,
  replaceAll: both,
  split: both,
  toLowerCase: whole,
  toUpperCase: whole,
  toWellFormed: whole,
};

/** Whether the expression is tried at one place only. Then a text that does not match may still cost little. */
const isAnchored = ({ sticky, multiline, source }: RegExp): boolean =>
  sticky || (!multiline && source.startsWith('^') && !source.includes('|^'));

/** Every function of the language that matches a regular expression calls `exec` as soon as that is not the built-in one. */
const EXECUTIONS: Readonly<Record<string, Walked>> = {
  exec: (self, result, [text]) => {
    const match = result as RegExpExecArray | null;
    if (match !== null) return match[0].length + 1;
    return isAnchored(self) ? 1 : String(text).length;
  },
};

const OBJECTS: Readonly<Record<string, Walked>> = {
  assign: (_self, _result, args) => args.slice(1).reduce<number>((sum, one) => sum + sizeOf(one), 0),
  entries: resultLength,
  getOwnPropertyNames: resultLength,
  keys: resultLength,
  values: resultLength,
};

const CODERS: Readonly<Record<string, Walked>> = {
  decodeURI: argument,
  decodeURIComponent: argument,
  encodeURI: resultLength,
  encodeURIComponent: resultLength,
  structuredClone: argumentSize,
};

const one: Walked = () => 1;

/** The objects whose functions count. The iterators see each spread, destructuring, `Array.from`, `new Set` and `new Map`. */
const TARGETS: readonly (readonly [string, object, Readonly<Record<string, Walked>>])[] = [
  ['Array', Array.prototype, ARRAYS],
  ['String', String.prototype, STRINGS],
  ['RegExp', RegExp.prototype, EXECUTIONS],
  ['Object', Object, OBJECTS],
  ['JSON', JSON, { parse: argument, stringify: resultLength }],
  ['Buffer', Buffer, { byteLength: argument, concat: resultLength, from: argument }],
  ['URL', URL, { canParse: argument, parse: argument }],
  ['globalThis', globalThis, CODERS],
  ['Array iterator', Object.getPrototypeOf([][Symbol.iterator]()), { next: one }],
  ['String iterator', Object.getPrototypeOf(''[Symbol.iterator]()), { next: one }],
  ['Map iterator', Object.getPrototypeOf(new Map().entries()), { next: one }],
  ['Set iterator', Object.getPrototypeOf(new Set().values()), { next: one }],
];

/**
 * Counts what built-in functions walk until `stop`, by their names. It replaces them in the whole process, so nothing else may
 * run meanwhile.
 *
 * @param inspect Is called for each call with what it walked, while the call is on the stack: to find the caller.
 */
export function countNativeWork(inspect?: (name: string, walked: number) => void): {
  readonly counts: ReadonlyMap<string, number>;
  stop(): void;
} {
  const counts = new Map<string, number>();
  // The built-in ones, without what counts.
  const add = (name: string, walked: number): unknown => counts.set(name, (counts.get(name) ?? 0) + walked);
  const restore: (() => void)[] = [];
  let isCounting = false;
  for (const [owner, object, functions] of TARGETS) {
    for (const [key, walked] of Object.entries(functions)) {
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      if (descriptor === undefined) throw new Error(`${owner} has no ${key}.`);
      const original = descriptor.value as Call;
      const name = `${owner}.${key}`;
      const counted: Call = function (...args) {
        const result = Reflect.apply(original, this, args);
        if (!isCounting) return result;
        // What is called in here does not count.
        isCounting = false;
        const units = walked(this as never, result, args);
        add(name, units);
        inspect?.(name, units);
        isCounting = true;
        return result;
      };
      Object.defineProperty(object, key, { ...descriptor, value: counted });
      restore.push(() => Object.defineProperty(object, key, descriptor));
    }
  }
  isCounting = true;
  return {
    counts,
    stop() {
      isCounting = false;
      for (const undo of restore) undo();
    },
  };
}
