import { type Edits, leaveOut, sendOption } from '@telecine/contract/domain/edit.ts';
import { oneOrList } from '../../plan/request/argv-option.ts';
import { sendInstead } from '../facts/graph-fixes.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { invalidInput, type MediaFailure } from './media-failure.ts';

/** The letter of `chapter` or `program` in specifiers such as `metadata:c:1`. */
const letterOf = (owner: string): string => owner.charAt(0);

/** Returns the index of the input whose chapters the output gets: by `map_chapters`, else the first input with chapters. -1: none. */
function inputOfChapters(facts: MediaFacts): number {
  const mapped = Number(facts.argumentOf('map_chapters') ?? Number.NaN);
  return Number.isNaN(mapped) ? facts.inputs.findIndex(({ chapters = 0 }) => chapters > 0) : mapped;
}

const numbers = (count: number, what: string): string =>
  `${count} ${count === 1 ? `${what}, number 0` : `${what}s, 0 to ${count - 1}`}`;

/** Explains a `metadata` option for a chapter or program (`owner`) that the output does not have. `metadata:c` means number 0 too. */
export function absentOwner(facts: MediaFacts, owner: string, number: string): MediaFailure | undefined {
  const index = Number(number);
  const ofOwner = `metadata:${letterOf(owner)}`;
  const key = [`${ofOwner}:${index}`, ...(index === 0 ? [ofOwner] : [])].find((one) => facts.has(one));
  if (key === undefined) return undefined;
  const [name, values] = [facts.sentNameOf(key), facts.argumentsOf(key)];
  if (owner === 'program')
    return invalidInput(
      `"${name}" names program ${index}, and the output has none: only "program" makes programs.`,
      ofWholeFile(facts, name, values),
    );
  const input = inputOfChapters(facts);
  const count = facts.inputs[input]?.chapters ?? 0;
  if (count > 0)
    return invalidInput(
      `"${name}" names chapter ${index}, but ${facts.pathOf(input)} has ${numbers(count, 'chapter')}.`,
      // The client probably counted chapters from 1, and means the last one.
      index === count ? sendInstead(name, `metadata:c:${count - 1}`, oneOrList(values)) : leaveOut(name),
    );
  const leavesOut = facts.argumentOf('map_chapters') === '-1';
  const has = facts.inputs.findIndex(({ chapters = 0 }) => chapters > index);
  if (has >= 0)
    return invalidInput(
      `"${name}" names chapter ${index}, and "map_chapters" ${leavesOut ? 'leaves the chapters out' : `takes the chapters of ${facts.pathOf(input)}, which has none`}.`,
      sendOption('map_chapters', `${has}`),
    );
  const paths = facts.inputs.map((_one, at) => facts.pathOf(at)).join(', ');
  return invalidInput(
    `"${name}" names chapter ${index}, but ${paths} ${facts.inputs.length === 1 ? 'has' : 'have'} no chapters.`,
    newChapters(facts, name, values),
  );
}

/** Sends the tags for the whole file. MPEG-TS gets `service_name` for `title`: the name of the programs if the request defines none. */
function ofWholeFile(facts: MediaFacts, name: string, values: readonly string[]): Edits {
  const isTransport = /^(?:mpegts|hls)$/.test(facts.plan.output.muxer);
  const own = facts.argumentsOf('metadata');
  const meant = isTransport ? values.map((value) => value.replace(/^title=/, 'service_name=')) : values;
  return sendInstead(name, 'metadata', oneOrList([...own, ...meant]));
}

/** The maximum length of the tags in a fix, in characters. */
const MAX_TAGS = 200;

const escaped = (tag: string): string => {
  const at = tag.indexOf('=') + 1;
  return `${tag.slice(0, at)}${tag.slice(at).replaceAll(/[=;#\\\n]/g, '\\$&')}`;
};

/** Returns a fix with the text of a metadata file: one chapter for the whole video, with the tags of the request. */
function newChapters({ plan, inputs }: MediaFacts, name: string, values: readonly string[]): string {
  const end = Math.round((inputs[0]?.durationSeconds ?? 60) * 1000);
  const own = values.join('').length > MAX_TAGS ? [] : values.map(escaped);
  const tags = own.some((value) => value.startsWith('title=')) ? own : ['title=Chapter 1', ...own];
  const lines = [';FFMETADATA1', '[CHAPTER]', 'TIMEBASE=1/1000', 'START=0', `END=${end}`, ...tags];
  const quotedList = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');
  const paths = [...plan.inputs.map(({ path }) => path), 'chapters.txt'];
  return `To make chapters, send a file with the lines ${quotedList(lines)} (times in milliseconds) as another input: "inputs": [${quotedList(paths)}] and "map_chapters": "${plan.inputs.length}". Otherwise leave "${name}" out.`;
}

/** Explains a `map_metadata` that copies tags from or to a chapter or program that does not exist: `"map_metadata:c:3": "0"`. */
export function absentInMap(facts: MediaFacts, owner: string, index: string): MediaFailure | undefined {
  const letter = letterOf(owner);
  const end = new RegExp(`:${letter}${Number(index) === 0 ? '(?::0)?' : `:${index}`}$`);
  const at = facts.argv.findIndex(
    (word, place) => /^-map_metadata(?::|$)/.test(word) && (end.test(word) || end.test(facts.argv[place + 1] ?? '')),
  );
  if (at < 0) return undefined;
  const [key, value = ''] = [facts.argv[at]?.slice(1) ?? '', facts.argv[at + 1]];
  const name = facts.sentNameOf(key);
  const isSource = end.test(value);
  const input = Number.parseInt(value, 10);
  const count = owner === 'chapter' ? (facts.inputs[isSource ? input : inputOfChapters(facts)]?.chapters ?? 0) : 0;
  const where = isSource ? facts.pathOf(input) : 'the output';
  return invalidInput(
    `"${name}": "${value}" copies the tags of ${isSource ? '' : 'the input to '}${owner} ${index}, but ${where} has ${count === 0 ? `no ${owner}s` : numbers(count, owner)}.`,
    count === 0
      ? leaveOut(name)
      : isSource
        ? sendOption(name, value.replace(end, `:${letter}:${count - 1}`))
        : sendInstead(name, name.replace(end, `:${letter}:${count - 1}`), value),
  );
}
