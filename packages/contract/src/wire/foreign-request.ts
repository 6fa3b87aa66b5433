import { fieldsAsParameters, type MeantRequest } from '../domain/command-line.ts';
import { outputBeside } from '../domain/folder-output.ts';
import { isPlainFile } from '../domain/foreign-path.ts';
import { isMembers, type Members } from '../domain/structured-values.ts';
import { fieldOfOption } from '../domain/synonyms/field-words.ts';
import { bareWord, FIT_NAME } from '../domain/synonyms/value-words.ts';

/* Reads requests for services with steps, groups or a timeline. Finds the files, times and codecs in their nested objects. */

type Parameters = NonNullable<MeantRequest['parameters']>;

/** The maximum number of objects that are read, and how deep they may be nested. */
const MAX_OBJECTS = 50;
const MAX_DEPTH = 8;

/** Names of members that contain the file of an input. */
const FILE_KEY = /^(?:fileinput|file|path|src|source|input|inputfile|inputpath|filename|key|uri|url|publicid)$/;
const OUTPUT_KEY = /^(?:output(?!_?format)|destination|export|target|dest|muxing)/i;
const STEM = /^[\w-][\w ./-]{0,200}$/;

/** Members that say nothing about the media: names of steps, services and accounts. */
const WITHOUT_MEANING =
  /^(?:id|name|type|label|title|description|operation|robot|use|role|queue|priority|version|service|engine|result|inputformat|input|input\w*name|playbackpolicy|encodingtier|test|audiosourcename|timecodesource|defaultselection|template|notify|notificationurl|webhook|storage|bucket|region|public|acl)$/;

/** Whether a member with this name says nothing about the media. */
export const isWithoutMeaning = (name: string): boolean => WITHOUT_MEANING.test(bareWord(name));

/** Words of other services that `fieldsAsParameters` does not know. */
const WORDS: Readonly<Record<string, string>> = {
  trim: 'ss',
  starttimecode: 'ss',
  endtimecode: 'to',
  trimduration: 't',
};
const VIDEO_CODEC = /^(?:h[._]?26[45]|hevc|vp[89]|av1)$/i;
const CONTAINER = /^(?:mp4|mov|mkv|webm|gif|mp3|wav|flac|ogg)$/i;
/** A time whose last part counts frames. Without a frame rate, only a time with 00 frames is clear. */
const TIMECODE = /^(\d{2}:\d{2}:\d{2})[:;]00$/;

interface Found {
  readonly files: Set<string>;
  readonly outputs: Set<string>;
  readonly containers: Set<string>;
  readonly modifiers: Set<string>;
  /** Paths of outputs without an extension. The container decides the extension. */
  readonly stems: Set<string>;
  readonly options: Parameters[];
  /** The names of members that have no meaning here. */
  readonly unread: Set<string>;
}

/** What a body of another service means as a request. */
interface ForeignRequest {
  readonly request: MeantRequest;
  /** The names of members that the request leaves out. */
  readonly unread: readonly string[];
}

/** The request that a body of another service means. Its objects must name one file or a list of clips. undefined for other bodies. */
export function foreignRequest(body: unknown): ForeignRequest | undefined {
  const found: Found = {
    files: new Set(),
    outputs: new Set(),
    containers: new Set(),
    modifiers: new Set(),
    stems: new Set(),
    options: [],
    unread: new Set(),
  };
  if (!isMembers(body) || !collect(body, found)) return undefined;
  const [input, ...otherFiles] = found.files;
  const [container, ...otherContainers] = found.containers;
  const [named, ...otherOutputs] = found.outputs;
  const [modifier, ...otherModifiers] = found.modifiers;
  const [stem, ...otherStems] = found.stems;
  const others =
    otherFiles.length + otherContainers.length + otherOutputs.length + otherModifiers.length + otherStems.length;
  if (input !== undefined && otherFiles.length > 0) return joinedVideos(found);
  const parameters = merged(found.options);
  if (input === undefined || others > 0 || parameters === undefined) return undefined;
  const beside = outputBeside(input, container?.toLowerCase());
  const name = beside.slice(beside.lastIndexOf('/') + 1);
  const end = stem?.endsWith('/') === true ? name : name.slice(name.lastIndexOf('.'));
  const whole = stem === undefined ? beside : `${stem}${end}`;
  const output = named ?? (modifier === undefined ? whole : whole.replace(/(?:-new)?(?=\.\w+$)/, modifier));
  const request = { input, output, ...(Object.keys(parameters).length > 0 && { parameters }) };
  return { request, unread: [...found.unread] };
}

const VIDEO_FILE = /\.(?:mp4|mov|mkv|webm|m4v|avi)$/i;

/** The clips of a timeline, joined in order. Times and other files of the timeline are not read. undefined: there are too few videos. */
function joinedVideos({ files, containers, outputs, options, unread }: Found): ForeignRequest | undefined {
  const inputs = [...files].filter((file) => VIDEO_FILE.test(file));
  const [first = '', second] = inputs;
  if (second === undefined || outputs.size > 1 || containers.size > 1) return undefined;
  const [output = outputBeside(first, [...containers][0])] = outputs;
  const others = [...files].filter((file) => !VIDEO_FILE.test(file));
  const names = new Set([...others, ...options.flatMap((one) => Object.keys(one)), ...unread]);
  return { request: { inputs, join: 'encode', output }, unread: [...names] };
}

/** Reads the members of an object. Returns false if there are too many members, or several outputs. */
function collect(root: Members, found: Found): boolean {
  const left: { readonly value: object; readonly depth: number; readonly ofOutput: boolean }[] = [
    { value: root, depth: 0, ofOutput: false },
  ];
  for (let count = 0; left.length > 0; count += 1) {
    const { value, depth, ofOutput } = left.shift() ?? { value: {}, depth: 0, ofOutput: false };
    if (count > MAX_OBJECTS || depth > MAX_DEPTH) return false;
    const settings: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value)) {
      const isOutput = ofOutput || OUTPUT_KEY.test(key);
      if (typeof one !== 'object' || one === null)
        readScalar(Array.isArray(value) ? '' : key, one, isOutput, settings, found);
      else if (Array.isArray(one) && one.length > 1 && isOutput && one.every(isMembers)) return false;
      else {
        const [only] = Array.isArray(one) && one.length === 1 ? (one as readonly unknown[]) : [one];
        const options =
          isMembers(only) && !FILE_KEY.test(bareWord(key)) ? fieldsAsParameters({ [key]: only }, [key]) : undefined;
        if (options === undefined) left.push({ value: one, depth: depth + 1, ofOutput: isOutput });
        else found.options.push(options);
      }
    }
    const options = fieldsAsParameters(settings, Object.keys(settings));
    if (options === undefined) return false;
    found.options.push(options);
  }
  return true;
}

/**
 * Reads one member with a text or a number. Files and containers go into `found`, and settings into `settings`: later, all settings of an
 * object are read together, because width and height become one option.
 */
function readScalar(
  key: string,
  value: unknown,
  isOutput: boolean,
  settings: Record<string, unknown>,
  found: Found,
): void {
  const bare = bareWord(key);
  const text = typeof value === 'string' ? value : '';
  const word = WORDS[bare];
  const time = TIMECODE.exec(text)?.[1] ?? (text.split(':').length === 4 ? undefined : value);
  if ((FILE_KEY.test(bare) || OUTPUT_KEY.test(key)) && isPlainFile(text))
    (isOutput ? found.outputs : found.files).add(text.replace(/^\/+/, ''));
  else if (OUTPUT_KEY.test(key) && STEM.test(text)) found.stems.add(text.replace(/^\/+/, ''));
  else if (bare === 'type' && VIDEO_CODEC.test(text)) settings['video_codec'] = text.replace('_', '').toLowerCase();
  else if (
    (bare === 'type' && CONTAINER.test(text)) ||
    (text !== '' && fieldOfOption(key) === 'format' && bare !== 'extension')
  )
    found.containers.add(text.toLowerCase());
  else if (bare === 'namemodifier' && /^[\w-]{1,40}$/.test(text)) found.modifiers.add(text);
  else if (bare === 'type' && /^(?:hls|dash|cmaf)/i.test(text)) found.unread.add(text);
  else if (key === '' || value === false || value === null || value === '' || isWithoutMeaning(key)) return;
  else if (bare === 'start' && value === 0) return;
  else if (word !== undefined && time !== undefined) settings[word] = time;
  else if (
    fieldsAsParameters({ [key]: value }, [key]) !== undefined ||
    /^(?:w|h|width|height)$/.test(bare) ||
    FIT_NAME.test(key)
  )
    settings[key] = value;
  else found.unread.add(key);
}

/** The options of all objects. undefined: two objects contradict each other, so they describe several outputs. */
function merged(all: readonly Parameters[]): Parameters | undefined {
  const options: Record<string, string | readonly string[]> = {};
  for (const [key, value] of all.flatMap((one) => Object.entries(one))) {
    const before = options[key];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value)) return undefined;
    options[key] = value;
  }
  return options as Parameters;
}
