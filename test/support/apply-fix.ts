/** An error of a tool, as far as it is needed to mend a call without understanding it. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly fix?: string;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

const quoted = (text: string): readonly string[] => [...text.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);

/** Where a word stands by itself: the 1 of `TP=1`, not that of `I=-16`. */
const whole = (word: string): RegExp => new RegExp(`(?<![\\w.])${word.replaceAll(/\W/g, '\\$&')}(?![\\w.])`);

/** Whether `right` has what stands before and behind the word `wrong` of `value`. */
function holdsRest(right: string, value: string, wrong: string): boolean {
  const [before = '', ...after] = value.split(whole(wrong));
  return right.startsWith(before) && right.endsWith(after.join(wrong));
}

/**
 * The arguments with the word that `fix` quotes in the place of what `field` points at: of its name, of a part of its value
 * or of all of its value, whichever the message quotes as wrong; of all too where it is that value with the part mended. Nothing in here knows an option, a code or a tool. Throws
 * where there is nothing to apply.
 */
export function applyFix(args: ToolArguments, { message, field = '', fix = '' }: ToolFailure): ToolArguments {
  const [right] = quoted(fix);
  const path = field
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = path.pop();
  if (right === undefined || name === undefined)
    throw new Error(`There is no fix to apply: ${message} ${field} ${fix}`);
  const copy = structuredClone(args) as Record<string, unknown>;
  const parent = path.reduce((at, key) => at[key] as Record<string, unknown>, copy);
  const value = String(parent[name]);
  const wrong = quoted(message).findLast((word) => word !== right && (word === name || whole(word).test(value)));
  if (wrong === name) {
    parent[right] = parent[name];
    delete parent[name];
  } else
    parent[name] = wrong === undefined || holdsRest(right, value, wrong) ? right : value.replace(whole(wrong), right);
  return copy;
}
