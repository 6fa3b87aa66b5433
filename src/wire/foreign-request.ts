import { fieldsAsParameters, type MeantRequest } from '../domain/command-line.ts';
import { outputBeside } from '../domain/folder-output.ts';
import { fieldOfOption } from '../domain/synonyms/field-words.ts';

/*
 * Requests of services that describe a conversion as steps, groups or a timeline. What their nested objects say as single values has a
 * meaning here: one file, a container, a size, codecs and bit rates.
 */

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The most objects that are read, and how deep they may be nested. */
const MAX_OBJECTS = 50;
const MAX_DEPTH = 8;

/** A name of a file as a member of an input: not of an output, and no URL, which may contain a password. */
const INPUT_KEY = /^(?:file_?input|file|path|src|source|input|input_?file|filename|key|uri|url)$/i;
const OUTPUT_KEY = /^(?:output|outputs|destination|export|target|dest)/i;
const FILE = /^[\w ./-]{1,200}\.\w{2,5}$/;

/** Members whose values are settings, and no names of files or steps. */
const SETTING =
  /^(?:width|height|w|h|size|resolution|fps|frame_?rate|crf|(?:video|audio)_?(?:codec|bit_?rate)|sample_?rate|channels|quality)$/i;

interface Found {
  readonly files: Set<string>;
  readonly containers: Set<string>;
  readonly modifiers: Set<string>;
  readonly settings: Members[];
}

/**
 * The request of this service that a body of another one means, if its objects name one file. undefined for other bodies.
 *
 * @param body A body that has neither "input" nor "inputs".
 */
export function foreignRequest(body: unknown): MeantRequest | undefined {
  const found: Found = { files: new Set(), containers: new Set(), modifiers: new Set(), settings: [] };
  if (!isMembers(body) || !collect(body, found)) return undefined;
  const [input, ...otherFiles] = found.files;
  const [container, ...otherContainers] = found.containers;
  if (input === undefined || otherFiles.length + otherContainers.length > 0) return undefined;
  const parameters = parametersOf(found.settings);
  if (parameters === undefined) return undefined;
  const beside = outputBeside(input, container?.toLowerCase());
  const [modifier] = found.modifiers;
  const output = modifier === undefined ? beside : beside.replace(/(?:-new)?(?=\.\w+$)/, modifier);
  return { input, output, ...(Object.keys(parameters).length > 0 && { parameters }) };
}

/** Reads the members of an object. False if there are too many of them. */
function collect(root: Members, found: Found): boolean {
  const left: { readonly value: unknown; readonly depth: number; readonly ofOutput: boolean }[] = [
    { value: root, depth: 0, ofOutput: false },
  ];
  for (let count = 0; left.length > 0; count += 1) {
    const { value, depth, ofOutput } = left.shift() ?? { value: {}, depth: 0, ofOutput: false };
    if (count > MAX_OBJECTS || depth > MAX_DEPTH) return false;
    const settings: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value as object)) {
      const isOutput = ofOutput || OUTPUT_KEY.test(key);
      if (typeof one === 'object' && one !== null) left.push({ value: one, depth: depth + 1, ofOutput: isOutput });
      else if (typeof one === 'string' && fieldOfOption(key) === 'format') found.containers.add(one);
      else if (typeof one === 'string' && key === 'NameModifier' && /^[\w-]{1,40}$/.test(one)) found.modifiers.add(one);
      else if (typeof one === 'string' && !isOutput && INPUT_KEY.test(key) && FILE.test(one)) found.files.add(one);
      else if (SETTING.test(key)) settings[key] = one;
    }
    if (Object.keys(settings).length > 0) found.settings.push(settings);
  }
  return true;
}

/** The options of all settings. undefined if one is not known, or if two are about several outputs. */
function parametersOf(all: readonly Members[]): MeantRequest['parameters'] | undefined {
  const [settings = {}, ...others] = all;
  return others.length > 0 ? undefined : fieldsAsParameters(settings, Object.keys(settings));
}
