import { type Command, InvalidArgumentError, Option } from 'commander';
import { timeIn, wholeNumberIn } from './command-options.ts';
import { addLimits, addValue } from './parameters.ts';

/** A parameter of an operation, or a member of its body, as `npm run docs` writes it to verbs.json. */
export interface VerbMember {
  readonly name: string;
  readonly part: 'params' | 'query' | 'body';
  /** The name of its option, without dashes. */
  readonly flag: string;
  readonly about: string;
  readonly kind: keyof typeof READERS;
  /** Whether the member is an argument, not an option. */
  readonly isRequired?: boolean;
  /** Whether an empty text removes a setting. */
  readonly isNullable?: boolean;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly default?: unknown;
}

/** Reads a value. commander prints an `InvalidArgumentError`. `before`: the value of earlier options of the same name. */
type Reader = (text: string, before: never) => unknown;

/** How the text of an option is read, by the kind of its member. A switch has no text. */
const READERS = {
  switch: () => undefined,
  text: () => String,
  choice: ({ choices = [] }) => choiceOf(choices),
  number: ({ min = 0, max = Number.MAX_SAFE_INTEGER }) => wholeNumberIn(min, max),
  time: ({ min, max }) => timeIn(`${min}`, `${max}`),
  moment: () => readMoment,
  boolean: () => readBoolean,
  list: ({ choices }) => (choices === undefined ? addValue : addChoices),
  map: () => addLimits,
} as const satisfies Readonly<Record<string, (member: Omit<VerbMember, 'kind'>) => Reader | undefined>>;

/** What stands for the value in the help. Default: `value`. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ map: 'name=value', moment: 'time', time: 'time', number: 'number', text: 'text' },
};

/** Makes the option of a member. */
export function optionOf(member: VerbMember): Option {
  const { flag, kind, about, choices = [], default: byDefault } = member;
  const read = READERS[kind](member) as ((text: string, before: unknown) => unknown) | undefined;
  const name = flag.length === 1 ? `-${flag}` : `--${flag}`;
  if (read === undefined) return new Option(name, about);
  const option = new Option(`${name} <${VALUES[kind] ?? 'value'}>`, about).default(byDefault);
  return (kind === 'choice' ? option.choices(choices) : option).argParser(read);
}

/** Reads the members of a request from the arguments and options of a command. */
export function valuesOf(members: readonly VerbMember[], command: Command) {
  const required = members.filter(({ isRequired }) => isRequired);
  const flags = command.opts();
  return members.flatMap((member): (readonly [VerbMember, unknown])[] => {
    const { isRequired, isNullable, kind, part } = member;
    const value = isRequired ? command.args[required.indexOf(member)] : flags[optionOf(member).attributeName()];
    if (value === undefined) return [];
    if (kind === 'switch' && part === 'query') return [[member, 'true']];
    return [[member, isNullable && String(value) === '' ? null : value]];
  });
}

/** Adds words that contain neither commas nor spaces. */
const addChoices = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.trim().split(/[\s,]+/),
];

/** Reads one of these words, in upper or lower case. */
const choiceOf = (choices: readonly string[]) => (text: string) => {
  const found = choices.find((one) => one.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  return found;
};

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Use true or false.');
}

/** Reads a time such as `2026-01-31T12:00:00Z`, or how long ago it was. */
function readMoment(text: string): string {
  const isAgo = /^\d+[smhd]$/.test(text);
  const at = isAgo ? Date.now() - timeIn('1s', '3650d')(text) * 1000 : Date.parse(text);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new InvalidArgumentError(
    'Use a time such as 2026-01-31T12:00:00Z, or how long ago it was, such as 90m or 30d.',
  );
}
