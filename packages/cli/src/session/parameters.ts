import { InvalidArgumentError } from 'commander';

/** ffmpeg options by name. An option without a value has the value ''. */
export type CommandParameters = Readonly<Record<string, string | string[]>>;

/** Commander reads `-preset fast` as `-p reset`. These are the option names that begin with "p", without the "p". */
const REST_OF_A_NAME = /^(?:reset|ix_fmt|ass|rofile(?::.*)?)$/;

/** Reads `name=value`. The value may contain `=`. Throws an error that commander prints. */
function readParameter(text: string): readonly [name: string, value: string] {
  const cut = text.indexOf('=');
  const name = cut < 0 ? text : text.slice(0, cut);
  if (/\s/.test(name)) throw new InvalidArgumentError('Write "=" between the name and the value, such as crf=28.');
  if (name === '') throw new InvalidArgumentError('Write it as name=value, such as c:v=libx264.');
  if (name.startsWith('-')) throw new InvalidArgumentError(`Write it without the dash: ${text.replace(/^-+/, '')}.`);
  if (cut < 0 && REST_OF_A_NAME.test(name)) throw new InvalidArgumentError(`Write it as -p p${name}=VALUE.`);
  // ffmpeg option names have no dots, so this text is a file name.
  if (cut < 0 && name.includes('.')) throw new InvalidArgumentError('Name a file alone, without an option before it.');
  return [name, cut < 0 ? '' : text.slice(cut + 1)];
}

/** Adds a value of a repeatable option. */
export const addValue = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

type Named = Readonly<Record<string, string>>;

/** Adds a name with its value. If the name is repeated, the last value applies. */
const addNamed =
  (example: string) =>
  (text: string, before: Named = {}): Named => {
    const cut = text.indexOf('=');
    if (cut < 1) throw new InvalidArgumentError(`Write it as name=value, such as ${example}.`);
    return Object.fromEntries([...Object.entries(before), [text.slice(0, cut), text.slice(cut + 1)]]);
  };

export const addMetadata = addNamed('order=A-1042');
const addLimit = addNamed('time=1h');
/** Adds limits of a client: `time=1h,memory=2G`. */
export const addLimits = (text: string, before?: Named): Named =>
  text.split(',').reduce<Named>((limits, one) => addLimit(one, limits), before ?? {});
export const addArgument = addNamed('height=720');

/** Adds an option. The values of a repeated name become a list. */
export function addParameter(text: string, before: CommandParameters = {}): CommandParameters {
  const [name, value] = readParameter(text);
  const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
  // Build a new object. Assigning to the name "__proto__" would drop it silently, and the service could not reject it.
  return Object.fromEntries([
    ...Object.entries(before).filter(([other]) => other !== name),
    [name, earlier === undefined ? value : [earlier, value].flat()],
  ]);
}
