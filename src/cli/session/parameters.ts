import { InvalidArgumentError } from 'commander';

/** Options of ffmpeg by name. A name without a value is an option that takes none. */
export type CommandParameters = Readonly<Record<string, string | string[]>>;

/** What `-preset fast` and its like are read as, by whoever writes options as for ffmpeg itself: `-p` and a name. */
const REST_OF_A_NAME = /^(?:reset|ix_fmt|ass|rofile(?::.*)?)$/;

/** Reads `name=value`; the value may hold `=`. Throws what commander reports. */
function readParameter(text: string): readonly [name: string, value: string] {
  const cut = text.indexOf('=');
  const name = cut < 0 ? text : text.slice(0, cut);
  if (name === '') throw new InvalidArgumentError('Write it as name=value, such as c:v=libx264.');
  if (name.startsWith('-')) throw new InvalidArgumentError(`Write it without the dash: ${text.replace(/^-+/, '')}.`);
  if (cut < 0 && REST_OF_A_NAME.test(name)) throw new InvalidArgumentError(`Write it as -p p${name}=VALUE.`);
  // No option of ffmpeg has a point in its name.
  if (cut < 0 && name.includes('.'))
    throw new InvalidArgumentError('A file is named alone, without an option before it.');
  return [name, cut < 0 ? '' : text.slice(cut + 1)];
}

/** Adds an option to those before it; a name that comes again makes a list. */
export function addParameter(text: string, before: CommandParameters = {}): CommandParameters {
  const [name, value] = readParameter(text);
  const held = Object.hasOwn(before, name) ? before[name] : undefined;
  // Not by assignment: "__proto__" is a name like any other here, and the service refuses it.
  return Object.fromEntries([
    ...Object.entries(before).filter(([other]) => other !== name),
    [name, held === undefined ? value : [held, value].flat()],
  ]);
}
