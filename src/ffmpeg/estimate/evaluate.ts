import jsep from 'jsep';

const truth = (value: boolean): number => (value ? 1 : 0);

/** The functions of ffmpeg's expressions that sizes of pictures use. An argument that is missing is NaN. */
const FUNCTIONS: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  round: Math.round,
  trunc: Math.trunc,
  sqrt: Math.sqrt,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  mod: (a, b) => a % b,
  pow: (a, b) => a ** b,
  gt: (a, b) => truth(a > b),
  gte: (a, b) => truth(a >= b),
  lt: (a, b) => truth(a < b),
  lte: (a, b) => truth(a <= b),
  eq: (a, b) => truth(a === b),
  not: (a) => truth(a === 0),
  if: (a, b, c) => (a === 0 ? (Number.isNaN(c) ? 0 : c) : b),
  ifnot: (a, b, c) => (a === 0 ? b : Number.isNaN(c) ? 0 : c),
};

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

type Values = Readonly<Record<string, number>>;

/**
 * Evaluates an expression of ffmpeg of which the names have these values. Returns undefined if it uses another name, a function
 * that is not known here, or has no finite value.
 */
export function evaluate(text: string, values: Values): number | undefined {
  try {
    const result = numberOf(jsep(text), values);
    return Number.isFinite(result) ? result : undefined;
  } catch {
    // ffmpeg's syntax has more than jsep's, such as "^" for powers.
    return undefined;
  }
}

type Node = jsep.Expression & Readonly<Record<string, unknown>>;

function numberOf(tree: jsep.Expression, values: Values): number {
  const node = tree as Node;
  const child = (name: string): number => numberOf(node[name] as jsep.Expression, values);
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'number' ? node['value'] : Number.NaN;
    case 'Identifier':
      return values[String(node['name'])] ?? Number.NaN;
    case 'UnaryExpression':
      return node['operator'] === '-' ? -child('argument') : node['operator'] === '+' ? child('argument') : Number.NaN;
    case 'BinaryExpression':
      return OPERATORS[String(node['operator'])]?.(child('left'), child('right')) ?? Number.NaN;
    case 'CallExpression': {
      const name = String((node['callee'] as Node)['name']);
      const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = (node['arguments'] as jsep.Expression[]).map((one) =>
        numberOf(one, values),
      );
      return FUNCTIONS[name]?.(a, b, c) ?? Number.NaN;
    }
    default:
      return Number.NaN;
  }
}
