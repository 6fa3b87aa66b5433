import { type Edits, leaveOut, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { oneOrList } from '../../plan/request/argv-option.ts';
import { sendInstead } from '../facts/graph-fixes.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { failed } from './media-failure.ts';

/** The letter in a metadata specifier of a chapter (`c`) or a program (`p`). */
type Owner = 'c' | 'p';

const NAMES = { c: 'chapter', p: 'program' } as const;

/** Returns the key of an option for a chapter or program. A specifier without a number means the first one. */
const keyOf = (facts: MediaFacts, name: string, owner: Owner, index: number): string | undefined =>
  [`${name}:${owner}:${index}`, ...(index === 0 ? [`${name}:${owner}`] : [])].find((key) => facts.has(key));

/** Returns the input whose chapters the output gets: the value of `map_chapters`, or the first input with chapters. -1: none. */
function inputOfChapters(facts: MediaFacts): number {
  const mapped = Number(facts.argumentOf('map_chapters') ?? Number.NaN);
  return Number.isNaN(mapped) ? facts.inputs.findIndex(({ chapters = 0 }) => chapters > 0) : mapped;
}

const numbers = (count: number, what: string): string =>
  `${count} ${count === 1 ? `${what}, number 0` : `${what}s, 0 to ${count - 1}`}`;

/** Explains a `metadata` option for a chapter or program that the output does not have. */
export function absentOwner(facts: MediaFacts, owner: Owner, index: number): Failure | undefined {
  const key = keyOf(facts, 'metadata', owner, index);
  if (key === undefined) return undefined;
  const [name, values] = [facts.sentNameOf(key), facts.argumentsOf(key)];
  if (owner === 'p')
    return failed(
      'INPUT_INVALID',
      `"${name}" names program ${index}, and the output has none: only "program" makes programs.`,
      ofWholeFile(facts, name, values),
    );
  const input = inputOfChapters(facts);
  const count = facts.inputs[input]?.chapters ?? 0;
  if (count > 0)
    return failed(
      'INPUT_INVALID',
      `"${name}" names chapter ${index}, but ${facts.pathOf(input)} has ${numbers(count, 'chapter')}.`,
      // The client probably counted chapters from 1.
      index === count ? sendInstead(name, `metadata:c:${count - 1}`, oneOrList(values)) : leaveOut(name),
    );
  const leavesOut = facts.argumentOf('map_chapters') === '-1';
  const has = facts.inputs.findIndex(({ chapters = 0 }) => chapters > index);
  if (has >= 0)
    return failed(
      'INPUT_INVALID',
      `"${name}" names chapter ${index}, and "map_chapters" ${leavesOut ? 'leaves the chapters out' : `takes the chapters of ${facts.pathOf(input)}, which has none`}.`,
      sendOption('map_chapters', `${has}`),
    );
  const paths = facts.inputs.map((_one, number) => facts.pathOf(number)).join(', ');
  return failed(
    'INPUT_INVALID',
    `"${name}" names chapter ${index}, but ${paths} ${facts.inputs.length === 1 ? 'has' : 'have'} no chapters.`,
    newChapters(facts, name, values),
  );
}

/** MPEG-TS stores the tags of the file as names of its programs, unless the request defines programs. */
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

/** The text of a metadata file that the client can send. Its only chapter is the whole video. */
function newChapters({ plan, inputs }: MediaFacts, name: string, values: readonly string[]): string {
  const end = Math.round((inputs[0]?.durationSeconds ?? 60) * 1000);
  const own = values.join('').length > MAX_TAGS ? [] : values.map(escaped);
  const tags = own.some((value) => value.startsWith('title=')) ? own : ['title=Chapter 1', ...own];
  const lines = [';FFMETADATA1', '[CHAPTER]', 'TIMEBASE=1/1000', 'START=0', `END=${end}`, ...tags];
  const quotedList = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');
  const paths = [...plan.inputs.map(({ path }) => path), 'chapters.txt'];
  return `To make chapters, send a file with the lines ${quotedList(lines)} (times in milliseconds) as another input: "inputs": [${quotedList(paths)}] and "map_chapters": "${plan.inputs.length}". Otherwise leave "${name}" out.`;
}

/** Explains a `map_metadata` from or to a chapter or program that does not exist. */
export function absentInMap(facts: MediaFacts, owner: Owner, index: number): Failure | undefined {
  const end = new RegExp(`:${owner}${index === 0 ? '(?::0)?' : `:${index}`}$`);
  const at = facts.argv.findIndex(
    (word, number) => /^-map_metadata(?::|$)/.test(word) && (end.test(word) || end.test(facts.argv[number + 1] ?? '')),
  );
  if (at < 0) return undefined;
  const [key, value = ''] = [facts.argv[at]?.slice(1) ?? '', facts.argv[at + 1]];
  const name = facts.sentNameOf(key);
  const isSource = end.test(value);
  const input = Number.parseInt(value, 10);
  const count = owner === 'c' ? (facts.inputs[isSource ? input : inputOfChapters(facts)]?.chapters ?? 0) : 0;
  const where = isSource ? facts.pathOf(input) : 'the output';
  return failed(
    'INPUT_INVALID',
    `"${name}": "${value}" copies the tags of ${isSource ? '' : 'the input to '}${NAMES[owner]} ${index}, but ${where} has ${count === 0 ? `no ${NAMES[owner]}s` : numbers(count, NAMES[owner])}.`,
    count === 0
      ? leaveOut(name)
      : isSource
        ? sendOption(name, value.replace(end, `:${owner}:${count - 1}`))
        : sendInstead(name, name.replace(end, `:${owner}:${count - 1}`), value),
  );
}
