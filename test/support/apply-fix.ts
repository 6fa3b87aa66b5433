/** The fields of a tool error that a program needs to correct the call. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly fix?: string;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The quoted parts of a text, which are JSON. */
const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => {
    try {
      return JSON.parse(word) as string;
    } catch {
      return word.slice(1, -1);
    }
  });

/** Matches `word` as a whole word: `1` matches in `TP=1`, but not in `I=-16`. */
const whole = (word: string): RegExp => new RegExp(`(?<![\\w.])${word.replaceAll(/\W/g, '\\$&')}(?![\\w.])`);

/**
 * Whether `right` replaces the whole value, and not only the word `wrong` in it. It does if it repeats the text around
 * `wrong`, or at least the text before it when it corrects several words.
 */
function holdsRest(right: string, value: string, wrong: string): boolean {
  const [before = '', ...after] = value.split(whole(wrong));
  return right.startsWith(before) && (before !== '' || right.endsWith(after.join(wrong)));
}

/**
 * Parses the members that replace a field, as in `Send "r": "25".` or `Send, for example, "ss": "5" and "to": "9".`
 * Returns undefined if the fix names none.
 */
function membersOf(fix: string): Readonly<Record<string, unknown>> | undefined {
  const text =
    /^Send(?:, for example,)? (".*": .*?)(?: beside "parameters"| as well| instead of "[\w:]+"|, and leave "[\w:]+" out)?(?:(?<=["\]}]|out): [a-z].*)?\.$/s.exec(
      fix,
    )?.[1];
  if (text === undefined) return undefined;
  for (const list of [text, text.replaceAll(/(?<=["\]}]) and (?=")/g, ', ')])
    try {
      return JSON.parse(`{${list}}`) as Readonly<Record<string, unknown>>;
    } catch {
      // Not JSON. Try the next form.
    }
  return undefined;
}

/**
 * Corrects a call by the fix of its error, as a program without any knowledge of options, codes or tools would. It
 * removes the field, replaces it by the members that the fix names, or inserts the first word that the fix quotes. In
 * the last case the wrong word, which the message quotes, decides whether that word replaces the option name, a part of
 * the value or the whole value. Throws if the fix quotes nothing.
 */
export function applyFix(args: ToolArguments, { message, field = '', fix = '' }: ToolFailure): ToolArguments {
  const path = field
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = path.pop();
  const copy = structuredClone(args) as Record<string, unknown>;
  const parent = path.reduce((at, key) => at[key] as Record<string, unknown>, copy);
  const [, list, option] =
    /^Send "inputs": (\[.*?\])(?:,? and) (".*?")(?: in the "parameters" of [a-z ]+)?\.$/s.exec(fix) ?? [];
  if (list !== undefined) {
    delete copy['input'];
    Object.assign(parent, JSON.parse(`{${option}}`));
    return { ...copy, inputs: JSON.parse(list) as unknown };
  }
  const members = membersOf(fix);
  if (name !== undefined && (members !== undefined || fix.startsWith('Leave it out'))) {
    if (!fix.endsWith(' as well.')) delete parent[name];
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
