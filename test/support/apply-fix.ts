/** The fields of a tool error that are needed to correct a call mechanically. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly fix?: string;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

const quoted = (text: string): readonly string[] => [...text.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);

/** Matches `word` as a whole word: the 1 of `TP=1`, but not that of `I=-16`. */
const whole = (word: string): RegExp => new RegExp(`(?<![\\w.])${word.replaceAll(/\W/g, '\\$&')}(?![\\w.])`);

/** Whether `right` starts and ends as `value` does around the word `wrong`. */
function holdsRest(right: string, value: string, wrong: string): boolean {
  const [before = '', ...after] = value.split(whole(wrong));
  return right.startsWith(before) && right.endsWith(after.join(wrong));
}

/**
 * Applies the word that `fix` quotes to the argument at `field`. The wrong word that the message quotes decides what it
 * replaces: the name, a part of the value, or the whole value. Knows no option, code or tool. Throws if `fix` quotes nothing.
 */
export function applyFix(args: ToolArguments, { message, field = '', fix = '' }: ToolFailure): ToolArguments {
  const [right] = quoted(fix);
  const path = field
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = path.pop();
  if (right === undefined || name === undefined) throw new Error(`No fix to apply: ${message} ${field} ${fix}`);
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
