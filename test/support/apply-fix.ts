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

/**
 * Whether `right` is the whole value: it starts and ends as `value` does around the word `wrong`, or it only starts so and
 * corrects several words.
 */
function holdsRest(right: string, value: string, wrong: string): boolean {
  const [before = '', ...after] = value.split(whole(wrong));
  return right.startsWith(before) && (before !== '' || right.endsWith(after.join(wrong)));
}

/** The members of `Send "r": "25".`, `Send, for example, "ss": "5" and "to": "9".`: what replaces the field. */
function membersOf(fix: string): Readonly<Record<string, unknown>> | undefined {
  const text = /^Send(?:, for example,)? (".*": .*?)(?: beside "parameters")?\.$/s.exec(fix)?.[1];
  if (text === undefined) return undefined;
  for (const list of [text, text.replaceAll(/(?<=["\]}]) and (?=")/g, ', ')])
    try {
      return JSON.parse(`{${list}}`) as Readonly<Record<string, unknown>>;
    } catch {
      // Not JSON in this reading.
    }
  return undefined;
}

/**
 * Applies a fix: leaves the field out, or sends other members instead. Otherwise applies the word that `fix` quotes to the
 * argument at `field`. The wrong word that the message quotes decides what it replaces: the name, a part of the value, or
 * the whole value. Knows no option, code or tool. Throws if `fix` quotes nothing.
 */
export function applyFix(args: ToolArguments, { message, field = '', fix = '' }: ToolFailure): ToolArguments {
  const path = field
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = path.pop();
  const copy = structuredClone(args) as Record<string, unknown>;
  const parent = path.reduce((at, key) => at[key] as Record<string, unknown>, copy);
  const members = membersOf(fix);
  if (name !== undefined && (members !== undefined || fix.startsWith('Leave it out'))) {
    delete parent[name];
    Object.assign(fix.includes(' beside ') ? copy : parent, members);
    return copy;
  }
  const [right] = quoted(fix);
  if (right === undefined || name === undefined) throw new Error(`No fix to apply: ${message} ${field} ${fix}`);
  const value = String(parent[name]);
  const wrong = quoted(message).findLast((word) => word !== right && (word === name || whole(word).test(value)));
  if (wrong === name) {
    parent[right] = parent[name];
    delete parent[name];
  } else
    parent[name] = wrong === undefined || holdsRest(right, value, wrong) ? right : value.replace(whole(wrong), right);
  return copy;
}
