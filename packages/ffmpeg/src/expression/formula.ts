import jsep from 'jsep';

type Functions = Readonly<Record<string, (...values: readonly number[]) => number>>;

/** The functions of recipes. ffmpeg has them too. */
export const FUNCTIONS: Functions = {
  ceil: (value = Number.NaN) => Math.ceil(value),
  floor: (value = Number.NaN) => Math.floor(value),
  round: (value = Number.NaN) => Math.round(value),
  sqrt: (value = Number.NaN) => Math.sqrt(value),
  min: (...values) => Math.min(...values),
  max: (...values) => Math.max(...values),
};

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

/** A formula of a recipe or of a filter. It contains numbers, names, `+ - * / %`, brackets, and functions. */
export interface Formula {
  /** The names in the formula, such as `size` and `input.duration`. */
  readonly names: ReadonlySet<string>;
  /** Returns undefined if a name has no value or the result is not a finite number. */
  evaluate(lookUp: (name: string) => number | undefined): number | undefined;
}

/** Parses a formula. Throws an `Error` whose message is the end of a sentence. */
export function parseFormula(text: string, functions = FUNCTIONS): Formula {
  const names = new Set<string>();
  const compute = compile(parse(text), names, functions);
  return {
    names,
    evaluate: (lookUp) => {
      const result = compute((name) => lookUp(name) ?? Number.NaN);
      return Number.isFinite(result) ? result : undefined;
    },
  };
}

function parse(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    throw new Error(`is not a formula: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Compute = (lookUp: (name: string) => number) => number;

/** Compiles a node of a formula, and adds its names to `names`. Throws for syntax that a formula cannot contain. */
function compile(tree: jsep.Expression, names: Set<string>, functions: Functions): Compute {
  const node = tree as jsep.CoreExpression;
  const name = nameOf(node);
  if (name !== undefined) {
    names.add(name);
    return (lookUp) => lookUp(name);
  }
  if (node.type === 'Literal' && typeof node.value === 'number') {
    const { value } = node;
    return () => value;
  }
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    const argument = compile(node.argument, names, functions);
    return (lookUp) => -argument(lookUp);
  }
  const operate = node.type === 'BinaryExpression' ? member(OPERATORS, node.operator) : undefined;
  if (node.type === 'BinaryExpression' && operate !== undefined) {
    const [left, right] = [compile(node.left, names, functions), compile(node.right, names, functions)];
    return (lookUp) => operate(left(lookUp), right(lookUp));
  }
  const call = node.type === 'CallExpression' ? member(functions, nameOf(node.callee) ?? '') : undefined;
  if (node.type === 'CallExpression' && call !== undefined) {
    const values = node.arguments.map((argument) => compile(argument, names, functions));
    return (lookUp) => call(...values.map((value) => value(lookUp)));
  }
  throw new Error(
    `is not a formula of numbers, names, + - * / %, brackets and the functions ${Object.keys(functions).toSorted().join(', ')}`,
  );
}

const member = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

/** The name in a node: `size` or `input.duration`. undefined: the node is not a name. */
function nameOf(tree: jsep.Expression): string | undefined {
  const node = tree as jsep.CoreExpression;
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.optional === true) return undefined;
  const [object, property] = [node.object, node.property] as jsep.CoreExpression[];
  return object?.type === 'Identifier' && property?.type === 'Identifier'
    ? `${object.name}.${property.name}`
    : undefined;
}
