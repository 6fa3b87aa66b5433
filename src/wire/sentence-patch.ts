import { type Edits, hasEdits, removedBy, valueSentBy } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { type Members, memberAt } from '../domain/members.ts';
import { pointerKey, pointerToken } from '../domain/problem.ts';
import { httpHint } from './hint-text.ts';
import type { PatchOperation } from './patch.ts';

/** The parts of an error or a warning that say what to send instead. */
export interface Fixable {
  readonly field?: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint | undefined;
}

/**
 * The JSON Patch (RFC 6902) that does to `body` what a fix says. Where a fix is still a text, its sentence is read: `Leave it out.`,
 * `Send "23".`, `Send [51].` and `Send "b:v": "2M" as well.` undefined if the fix leaves a choice, gives an example, or is about
 * something else than the field, so that a program can apply a patch without asking.
 */
export function sentencePatch(
  body: unknown,
  { field = '', code, message, fix: hint }: Fixable,
): readonly PatchOperation[] | undefined {
  const [, ...keys] = field.split('/').map(pointerKey);
  const name = keys.at(-1);
  const parent = memberAt(body, keys.slice(0, -1));
  if (hint === undefined || name === undefined || !isObject(parent)) return undefined;
  const place = field.slice(0, field.lastIndexOf('/'));
  const isOption = keys.at(-2) === 'parameters';
  const { left, elsewhere, value, members } = hasEdits(hint)
    ? readEdits(hint, body, field)
    : readSentence(httpHint(hint), { body, field, name, isOption });
  if (left !== undefined) {
    const key = left.name ?? name;
    return key in parent ? [{ op: 'remove', path: `${place}/${pointerToken(key)}` }] : undefined;
  }
  if (elsewhere !== undefined) return elsewhere;
  if (value !== undefined) {
    if (!(name in parent)) return undefined;
    if (typeof value !== 'string')
      // Options are strings or lists of strings, and fixes of them say so.
      return isOption && !Array.isArray(value) ? undefined : [{ op: 'replace', path: field, value }];
    return WRONG_NAMES.has(code)
      ? renamed({ parent, name, field, right: `${place}/${pointerToken(value)}` })
      : // A list in place of one text is replaced as a whole. Of a list of options, the fix is about an element.
        Array.isArray(parent[name]) && code === 'WRONG_TYPE' && !isOption
        ? [{ op: 'replace', path: field, value }]
        : replaced({ before: parent[name], name, field, message, right: value });
  }
  const joined = members && joinOfInputs(members, field);
  if (joined !== undefined) return joined;
  if (members === undefined) return undefined;
  if (Array.isArray(parent)) return wholeMember(members, { keys, field, place }, body);
  // Columns and rows of a grid.
  const isSetWithOthers = code === 'OUT_OF_RANGE' && name in members.sent;
  if (!fits(members.sent, keys))
    return (
      wholeMember(members, { keys, field, place }, body) ??
      (OTHER_MEMBERS.has(code) || isSetWithOthers
        ? otherMembers(members, { keys, place, isSetWithOthers }, parent)
        : undefined)
    );
  const added = Object.entries(members.sent).map(([key, sent]) => ({
    op: 'add' as const,
    path: `${place}/${pointerToken(key)}`,
    value: sent,
  }));
  if (members.left.length > 0) return undefined;
  const isKept = members.isAddition || name in members.sent || !(name in parent);
  return isKept ? added : [{ op: 'remove', path: field }, ...added];
}

/** What follows from a fix, in a sentence of its own: `The master is "hls/master.m3u8".` */
const FACT = /(?<=["\]}]\.) The \w+ is "[^"]*"\.$/;

/** The choice at the end of `Send 50, or less.` The value before it is the nearest to the sent one, so the patch sends it. */
const OR_LESS = /, or (?:less|another path in your media root)\.$/;

/**
 * `Leave it out.` or `Leave "crf" out.`, also with a reason. Not with a second sentence, which offers a choice, nor with "already": the
 * value that is set already may be the wrong one.
 */
const LEFT_OUT = /^Leave it out(?:: (?!.*(?:\. | already)).*)?\.$/s;

/** What a fix does. undefined for what it does not do. */
interface Followed {
  /** The member that goes. Without a name, that is the field. */
  readonly left?: { readonly name?: string } | undefined;
  /** The patch of members outside the object that has the field. */
  readonly elsewhere?: readonly PatchOperation[] | undefined;
  /** The value that replaces the value of the field. */
  readonly value?: unknown;
  readonly members?: SentMembers | undefined;
}

/** Empty if the fix leaves a choice. */
const readEdits = (edits: Edits, body: unknown, field: string): Followed =>
  edits.or !== undefined
    ? {}
    : {
        left: removedBy(edits),
        elsewhere: optionBesideRecipe(body, field, edits),
        value: valueSentBy(edits),
        members: membersOf(edits),
      };

function readSentence(
  text: string,
  {
    body,
    field,
    name,
    isOption,
  }: { readonly body: unknown; readonly field: string; readonly name: string; readonly isOption: boolean },
): Followed {
  const fix = text.replace(FACT, '').replace(OR_LESS, '.');
  const left = leftOut(fix, { name, isOption });
  if (left !== undefined) return { left };
  const elsewhere =
    inputsAndOption(body, field, fix) ??
    ownAndShared(field, fix) ??
    optionOfRequest(body, field, fix) ??
    besideObject(body, field, fix);
  return elsewhere === undefined ? { value: sentenceValue(fix), members: sentenceMembers(fix) } : { elsewhere };
}

/** The member that a sentence leaves out. Without a name, that is the field. undefined if the sentence says something else. */
function leftOut(
  fix: string,
  { name, isOption }: { readonly name: string; readonly isOption: boolean },
): { readonly name?: string } | undefined {
  if (LEFT_OUT.test(fix.replace(`Leave "${name}" out`, 'Leave it out'))) return {};
  // Of options, the name may be one of a filter or of a bitstream filter.
  const [, sibling] = /^Leave "(\w+)" out(?:\.$|: )/.exec(fix) ?? [];
  return sibling !== undefined && !isOption && LEFT_OUT.test(fix.replace(`Leave "${sibling}" out`, 'Leave it out'))
    ? { name: sibling }
    : undefined;
}

/** The patch of `Send "inputs": ["a.mp4","b.srt"], and "vf": "subtitles=b.srt" in "parameters".` */
function inputsAndOption(body: unknown, field: string, fix: string): readonly PatchOperation[] | undefined {
  const [, list = '', option = ''] = /^Send "inputs": (\[.*\]), and (".*") in "parameters"\.$/s.exec(fix) ?? [];
  const [inputs, options] = [parse(list), parse(`{${option}}`)];
  const at = field.lastIndexOf('/parameters/');
  if (!Array.isArray(inputs) || !isObject(options) || at < 0) return undefined;
  const output = field.slice(0, at);
  // Inputs are those of the request, also if the option is that of one output.
  const request = output.replace(/\/outputs\/\d+$/, '');
  return [
    ...(valueAt(body, `${request}/input`) === undefined ? [] : [{ op: 'remove' as const, path: `${request}/input` }]),
    { op: 'add' as const, path: `${request}/inputs`, value: inputs },
    ...Object.entries(options).map(([key, value]) => ({
      op: 'add' as const,
      path: `${output}/parameters/${pointerToken(key)}`,
      value,
    })),
  ];
}

/** The patch of `Send "map": "[v_2]", and "filter_complex": "…" in the "parameters" of the request.` about one of several outputs. */
function ownAndShared(field: string, fix: string): readonly PatchOperation[] | undefined {
  const [, own = '', shared = ''] = /^Send (".*), and (".*") in the "parameters" of the request\.$/s.exec(fix) ?? [];
  const [, request, output] = /^(.*)(\/outputs\/\d+\/parameters)\/[^/]+$/.exec(field) ?? [];
  const places = [
    [`${request ?? ''}${output ?? ''}`, parseMembers(own)],
    [`${request ?? ''}/parameters`, parseMembers(shared)],
  ] as const;
  if (request === undefined || places.some(([, sent]) => sent === undefined)) return undefined;
  return places.flatMap(([place, sent = {}]) =>
    Object.entries(sent).map(([key, value]) => ({ op: 'add' as const, path: `${place}/${pointerToken(key)}`, value })),
  );
}

/** The patch of `Send "join": "encode".` about one of the inputs: all of them are joined. */
function joinOfInputs({ sent, left }: SentMembers, field: string): readonly PatchOperation[] | undefined {
  const at = field.search(/\/inputs\/\d+(?:\/|$)/);
  const isJoin = Object.keys(sent).join() === 'join' && left.length === 0;
  return at < 0 || !isJoin ? undefined : [{ op: 'add', path: `${field.slice(0, at)}/join`, value: sent['join'] }];
}

/** The value in `Send "23".`, `Send 51.`, `Send ["a"].` and `Send {"start": 1}.` undefined if the sentence says more than a value. */
function sentenceValue(fix: string): unknown {
  const text = /^Send (["{[\dtf-].*)\.$/s.exec(withoutClause(fix))?.[1];
  return text === undefined ? undefined : parse(text);
}

/**
 * Replaces the member of the field, or the arguments around it: `Send "size": 0.45.`, and `Send "arguments": {"size":8}.` for one of
 * them. `inputs` takes the place of `input`. undefined for other members, whose place is open.
 */
function wholeMember(
  { sent, isAddition, left }: SentMembers,
  { keys, field, place }: { readonly keys: readonly string[]; readonly field: string; readonly place: string },
  body: unknown,
): readonly PatchOperation[] | undefined {
  if (left.length > 0) return undefined;
  const [only, ...others] = Object.entries(sent);
  if (only === undefined || others.length > 0 || isAddition) return undefined;
  const [key, value] = only;
  if (key === OTHER_NUMBER.get(keys.at(-1) ?? '') && valueAt(body, `${place}/${key}`) === undefined)
    return [
      { op: 'remove', path: field },
      { op: 'add', path: `${place}/${key}`, value },
    ];
  if (key === keys.at(-1) && valueAt(body, field) !== undefined) return [{ op: 'replace', path: field, value }];
  return /^(?:arguments|preset|parameters|inputs|keep|remove)$/.test(key) && key === keys.at(-2)
    ? [{ op: 'replace', path: place, value }]
    : undefined;
}

/** Codes of errors about a member that other members of the same object say instead. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set([
  'UNKNOWN_FIELD',
  'WRONG_TYPE',
  'MISPLACED',
  'INVALID_FORMAT',
  'EXCLUSIVE',
  'NOT_A_STILL',
  'INPUT_NOT_FOUND',
  'STORAGE_NOT_ALLOWED',
]);

/**
 * Replaces a member by others of the same object: `Send "parameters": {"crf":"20"}.` for an unknown "crf" of a request. undefined for
 * options, for additions, and if one of the others is there with something else.
 */
function otherMembers(
  { sent, isAddition, left }: SentMembers,
  {
    keys,
    place,
    isSetWithOthers,
  }: { readonly keys: readonly string[]; readonly place: string; readonly isSetWithOthers: boolean },
  parent: Members,
): readonly PatchOperation[] | undefined {
  const name = keys.at(-1) ?? '';
  if (isAddition || keys.at(-2) === 'parameters') return undefined;
  const entries = Object.entries(sent);
  const [only] = entries;
  // The fix names the object that has the member: the ranges of a cut, or the arguments of a recipe.
  if (only !== undefined && entries.length === 1 && only[0] === keys.at(-2))
    return [{ op: 'replace', path: place, value: only[1] }];
  // Another recipe, with the arguments of the one that was sent.
  if (only !== undefined && entries.length === 1 && only[0] === 'preset' && keys.at(-3) === 'preset')
    return [{ op: 'replace', path: place.slice(0, place.lastIndexOf('/')), value: only[1] }];
  const isTaken = ([key, value]: readonly [string, unknown]): boolean =>
    !isSetWithOthers &&
    key !== name &&
    parent[key] !== undefined &&
    !holdsAll(value, parent[key]) &&
    !(key === 'parameters' && hasNames(value, parent[key]));
  if (entries.some(isTaken)) return undefined;
  const gone = [...new Set([name, ...left])].filter((one) => one in parent && !(one in sent));
  return [
    ...gone.map((one) => ({ op: 'remove' as const, path: `${place}/${pointerToken(one)}` })),
    ...entries.map(([key, value]) => ({ op: 'add' as const, path: `${place}/${pointerToken(key)}`, value })),
  ];
}

/** Whether a fix names all options that are there. It then changes the value of one of them on purpose. */
const hasNames = (value: unknown, before: unknown): boolean =>
  isObject(value) && isObject(before) && Object.keys(before).every((key) => Object.hasOwn(value, key));

/** Whether a member of a fix repeats what is there, also with more: members of an object with their values, elements of a list. */
function holdsAll(value: unknown, before: unknown): boolean {
  if (Array.isArray(value)) return [before].flat().every((one) => JSON.stringify(value).includes(JSON.stringify(one)));
  if (isObject(value) && before === true) return true;
  if (isObject(value) && isObject(before))
    return Object.entries(before).every(([key, one]) => Object.hasOwn(value, key) && holdsAll(value[key], one));
  // A filter can follow those that are there.
  return String(value) === String(before) || String(value).startsWith(`${String(before)},`);
}

/** The patch of `Send "join": "encode" beside "parameters", and leave this "join" out.` */
function besideObject(body: unknown, field: string, fix: string): readonly PatchOperation[] | undefined {
  const [, text = '', object = ''] =
    /^Send (".*) beside "(\w+)"(?:, and leave (?:this )?"\w+" out)?\.$/s.exec(fix) ?? [];
  const sent = parseMembers(text);
  const at = field.lastIndexOf(`/${object}/`);
  if (sent === undefined || at < 0) return undefined;
  const place = field.slice(0, at);
  const all = Object.entries(sent);
  const before = (key: string): unknown => valueAt(body, `${place}/${key}`);
  // Another fix may have added the member with more values. Keep these.
  const added = all.filter(([key, value]) => before(key) === undefined || !holdsAll(before(key), value));
  // The list of inputs in a fix repeats the inputs of the request.
  const isTaken = ([key, value]: readonly [string, unknown]): boolean =>
    key !== 'inputs' && before(key) !== undefined && !holdsAll(value, before(key));
  if (added.some(isTaken)) return undefined;
  const isOnly = sent['inputs'] !== undefined && before('input') !== undefined;
  return [
    { op: 'remove', path: field },
    ...(isOnly ? [{ op: 'remove' as const, path: `${place}/input` }] : []),
    ...added.map(([key, value]) => ({ op: 'add' as const, path: `${place}/${pointerToken(key)}`, value })),
  ];
}

/**
 * The patch of a fix that sends options of the request. About an argument of a recipe: `Send "crf": "20" in "parameters" instead of this
 * argument.` About an option of an input: `Send "map": "0:a" in the "parameters" of the request.`
 */
function optionOfRequest(body: unknown, field: string, fix: string): readonly PatchOperation[] | undefined {
  const at = field.search(/\/(?:preset\/arguments|inputs\/\d+|outputs\/\d+)\//);
  const isArgument = field.startsWith('/preset/', at);
  const [, text = ''] =
    /^Send (".*) in (?:"parameters" instead of this argument|the "parameters" of the request(?: instead)?)\.$/s.exec(
      fix,
    ) ?? [];
  const options = parseMembers(text);
  if (options === undefined || at < 0) return undefined;
  const place = `${field.slice(0, at)}/parameters`;
  const isOther = ([key, value]: readonly [string, unknown]): boolean => {
    const before = valueAt(body, `${place}/${pointerToken(key)}`);
    return before !== undefined && JSON.stringify(before) !== JSON.stringify(value);
  };
  if (!isArgument && Object.entries(options).some(isOther)) return undefined;
  return [{ op: 'remove', path: field }, ...withOptions(body, place, options)];
}

/** The patch of a fix that adds an option such as "c:v" beside an argument of a recipe. It belongs into the `parameters` of the request. */
function optionBesideRecipe(body: unknown, field: string, { edits }: Edits): readonly PatchOperation[] | undefined {
  const at = field.search(/\/preset\/arguments\//);
  const added = edits.flatMap((edit) =>
    edit.do === 'add' && /^\w+:[vas]$/.test(edit.name) ? [[edit.name, edit.value] as const] : [],
  );
  if (at < 0 || added.length === 0 || added.length < edits.length) return undefined;
  return withOptions(body, `${field.slice(0, at)}/parameters`, Object.fromEntries(added));
}

/** Adds options to the object at `place`, which the body may lack. */
const withOptions = (body: unknown, place: string, options: Members): readonly PatchOperation[] =>
  isObject(valueAt(body, place))
    ? Object.entries(options).map(([key, value]) => ({ op: 'add', path: `${place}/${pointerToken(key)}`, value }))
    : [{ op: 'add', path: place, value: options }];

/** Members of which a request has the one for a single file or the one for several. */
const OTHER_NUMBER: ReadonlyMap<string, string> = new Map([
  ['input', 'inputs'],
  ['inputs', 'input'],
  ['output', 'outputs'],
  ['outputs', 'output'],
]);

/** A fix without the clause at its end that says what it does, and leaves no choice. */
const withoutClause = (fix: string): string => fix.replace(/, which [a-z ]{1,60}\.$/, '.');

/** Members in a fix, and whether they are sent beside what is there. */
interface SentMembers {
  readonly sent: Members;
  readonly isAddition: boolean;
  /** The names of other members that the fix says to leave out. */
  readonly left: readonly string[];
}

/** The members in `Send "preset": "slow" and "tune": "film".` and in `Send "preset": {…}, and leave this "arguments" out.` */
function sentenceMembers(fix: string): SentMembers | undefined {
  const plain = withoutClause(fix).replace(/ instead of "(?:[av]f|filter:[av])"\.$/, '.');
  const [, whole = '', end] = /^Send (".*": .*?)( as well)?\.$/s.exec(plain) ?? [];
  const [, text = whole, left] = /^(.*), and leave (?:this )?"(\w+)"(?: beside it)? out$/s.exec(whole) ?? [];
  const sent = parseMembers(text);
  return sent && { sent, isAddition: end !== undefined, left: left === undefined ? [] : [left] };
}

/** The members that edits send and leave out. undefined if they do not send any. */
function membersOf({ edits }: Edits): SentMembers | undefined {
  const sent = edits.flatMap((edit) =>
    (edit.do === 'send' || edit.do === 'add') && edit.name !== undefined ? [[edit.name, edit.value] as const] : [],
  );
  const left = edits.flatMap((edit) => (edit.do === 'remove' && edit.name !== undefined ? [edit.name] : []));
  if (sent.length === 0 || sent.length + left.length < edits.length) return undefined;
  return { sent: Object.fromEntries(sent), isAddition: edits.some((edit) => edit.do === 'add'), left };
}

function parseMembers(text: string): Members | undefined {
  for (const list of [text, text.replaceAll(/(?<=["\]}\d]) and (?=")/g, ', ')]) {
    const sent = parse(`{${list}}`);
    if (isObject(sent) && text !== '') return sent;
  }
  return undefined;
}

/** Options belong into `parameters`, and lists of files beside them: a fix that mixes the two leaves its place open. */
const fits = (members: Members, keys: readonly string[]): boolean =>
  keys.at(-2) === 'parameters' && !Object.keys(members).some((name) => OF_REQUEST.has(name));

const OF_REQUEST: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'outputs', 'join', 'parameters']);

/** Codes of errors about the name of a member. Others are about its value. */
const WRONG_NAMES: ReadonlySet<string> = new Set([
  'UNKNOWN_OPTION',
  'BAD_OPTION_NAME',
  'UNKNOWN_FIELD',
  'BAD_SPECIFIER',
]);

function renamed({
  parent,
  name,
  field,
  right,
}: {
  readonly parent: Members;
  readonly name: string;
  readonly field: string;
  readonly right: string;
}): readonly PatchOperation[] | undefined {
  // A value that was sent under the right name stays.
  if (Array.isArray(parent) || Object.hasOwn(parent, pointerKey(right.slice(right.lastIndexOf('/') + 1))))
    return undefined;
  return [
    { op: 'remove', path: field },
    { op: 'add', path: right, value: parent[name] },
  ];
}

/** Members whose value is one path. */
const PATHS: ReadonlySet<string> = new Set(['input', 'output']);

/** Puts a value right, or one word in it, which the message quotes. */
function replaced({
  before,
  name,
  field,
  message,
  right,
}: {
  readonly before: unknown;
  readonly name: string;
  readonly field: string;
  readonly message: string;
  readonly right: string;
}): readonly PatchOperation[] | undefined {
  if (isObject(before)) return undefined;
  const value = String(before);
  const wrong = quotedWords(message).findLast((word) => word !== right && word !== name && wholeWord(word).test(value));
  const isPart = wrong !== undefined && wrong !== value && !PATHS.has(name) && !holdsRest(right, value, wrong);
  if (!isPart) return [{ op: 'replace', path: field, value: right }];
  const [start = '', end, ...others] = value.split(wholeWord(wrong));
  // Only one of them may be wrong, and another a text that is drawn.
  return others.length > 0 ? undefined : [{ op: 'replace', path: field, value: `${start}${right}${end}` }];
}

/**
 * Whether `right` replaces the whole value, and not only the word `wrong` in it. It does if it repeats the text around that word, or at
 * least the text before it when it corrects several words.
 */
function holdsRest(right: string, value: string, wrong: string): boolean {
  const [before = '', ...after] = value.split(wholeWord(wrong));
  return right.startsWith(before) && (before !== '' || right.endsWith(after.join(wrong)));
}

/** The quoted parts of a text, which are JSON. */
const quotedWords = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => String(parse(word) ?? word.slice(1, -1)));

/** Matches a whole word: `1` matches in `TP=1`, but not in `I=-16`. */
const wholeWord = (word: string): RegExp => new RegExp(`(?<![\\w.])${word.replaceAll(/\W/g, '\\$&')}(?![\\w.])`);

/** The value to which a JSON Pointer leads. undefined if there is none. */
export const valueAt = (body: unknown, pointer: string): unknown =>
  memberAt(body, pointer.split('/').slice(1).map(pointerKey));

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
