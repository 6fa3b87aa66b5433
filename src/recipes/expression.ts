import jsep from 'jsep';

/** The functions of expressions. */
const FUNCTIONS: Readonly<Record<string, (...values: readonly number[]) => number>> = {
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

/** A formula of a recipe: numbers, names, `+ - * / %`, brackets and the functions `ceil floor max min round sqrt`. */
export interface Expression {
  /** The names that it uses: `size`, `input.duration`. */
  readonly names: ReadonlySet<string>;
  /** Returns undefined if a name has no value, or if the result is not a finite number. */
  evaluate(lookUp: (name: string) => number | undefined): number | undefined;
}

/** Parses a formula. Throws `Error` with what is wrong, as the rest of a sentence. */
export function parseExpression(text: string): Expression {
  const tree = parse(text);
  const names = new Set<string>();
  collectNames(tree, names);
  return {
    names,
    evaluate: (lookUp) => {
      const result = evaluate(tree, (name) => lookUp(name) ?? Number.NaN);
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

function collectNames(node: jsep.Expression, names: Set<string>): void {
  const name = nameOf(node);
  if (name !== undefined) names.add(name);
  else if (isBinary(node)) for (const side of [node.left, node.right]) collectNames(side, names);
  else if (isNegation(node)) collectNames(node.argument, names);
  else if (isCall(node)) for (const argument of node.arguments) collectNames(argument, names);
  else if (!isNumber(node))
    throw new Error(
      `is not a formula of numbers, names, + - * / %, brackets and the functions ${Object.keys(FUNCTIONS).toSorted().join(', ')}`,
    );
}

function evaluate(node: jsep.Expression, lookUp: (name: string) => number): number {
  const name = nameOf(node);
  if (name !== undefined) return lookUp(name);
  if (isNumber(node)) return node.value;
  if (isNegation(node)) return -evaluate(node.argument, lookUp);
  if (isBinary(node))
    return OPERATORS[node.operator]?.(evaluate(node.left, lookUp), evaluate(node.right, lookUp)) ?? Number.NaN;
  if (isCall(node))
    return FUNCTIONS[node.callee.name]?.(...node.arguments.map((argument) => evaluate(argument, lookUp))) ?? Number.NaN;
  return Number.NaN;
}

interface Binary extends jsep.Expression {
  readonly operator: string;
  readonly left: jsep.Expression;
  readonly right: jsep.Expression;
}

interface Negation extends jsep.Expression {
  readonly argument: jsep.Expression;
}

interface Call extends jsep.Expression {
  readonly callee: { readonly name: string };
  readonly arguments: readonly jsep.Expression[];
}

interface NumberLiteral extends jsep.Expression {
  readonly value: number;
}

const isBinary = (node: jsep.Expression): node is Binary =>
  node.type === 'BinaryExpression' && Object.hasOwn(OPERATORS, String(node['operator']));

const isNegation = (node: jsep.Expression): node is Negation =>
  node.type === 'UnaryExpression' && node['operator'] === '-';

const isCall = (node: jsep.Expression): node is Call => {
  const name = node.type === 'CallExpression' ? identifier(node['callee']) : undefined;
  return name !== undefined && Object.hasOwn(FUNCTIONS, name);
};

const isNumber = (node: jsep.Expression): node is NumberLiteral =>
  node.type === 'Literal' && typeof node['value'] === 'number';

/** `size`, or `input.duration`. undefined for anything else. */
function nameOf(node: jsep.Expression): string | undefined {
  const own = identifier(node);
  if (own !== undefined) return own;
  if (node.type !== 'MemberExpression' || node['computed'] === true || node['optional'] === true) return undefined;
  const [object, property] = [identifier(node['object']), identifier(node['property'])];
  return object === undefined || property === undefined ? undefined : `${object}.${property}`;
}

const identifier = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'type' in node && node.type === 'Identifier' && 'name' in node
    ? String(node.name)
    : undefined;
