/** The object with the member that an edit changes. Default: the object with the field, or that member itself if the field is inside it. */
export type Place =
  /** A field of the request, such as "join". */
  | 'request'
  /** An option in the "parameters" of the request. */
  | 'parameters'
  /** A member of the object that has the named object, in which the field is: beside "parameters". */
  | { readonly beside: string }
  /** An option in the "parameters" of an output: the JSON Pointer to this element of "outputs". */
  | { readonly output: string };

/** A change of a request, said from the field that a finding is about. */
export type Edit =
  /** Without `name`: replaces the value of the field. With `name`: sends this member, and removes the field, unless it is this member. */
  | { readonly do: 'send'; readonly value: unknown; readonly name?: string; readonly in?: Place }
  /** Sends a member; the field stays. */
  | { readonly do: 'add'; readonly name: string; readonly value: unknown; readonly in?: Place }
  /** Leaves out the field, or the member of this name in the same object. */
  | { readonly do: 'remove'; readonly name?: string }
  /** Sends the value of the field under another name. */
  | { readonly do: 'rename'; readonly to: string }
  /** Replaces a part of the value, which is a text. The part is in it as a whole word. */
  | { readonly do: 'replace'; readonly part: string; readonly by: string };

/** A fix as data: changes that are made together. */
export interface Edits {
  readonly edits: readonly Edit[];
  /** Why they help, as the end of the sentence: `the processor decodes`. */
  readonly why?: string;
  /** What else would help: other edits, or the end of the sentence. A program then leaves the choice to the client. */
  readonly or?: Edits | string;
  /** Whether a program makes the edits although there is a choice, because they are nearest to what was sent: 50, or less. */
  readonly isNearest?: boolean;
  /** Whether other values suit as well. A program then leaves the choice to the client. */
  readonly isExample?: boolean;
  /** What follows from them, as a sentence of its own. */
  readonly note?: string;
}

/** A fix in any form, or none. */
type AnyFix = Edits | string | readonly unknown[] | undefined;

/** Replaces the value of the field. */
export const sendValue = (value: unknown): Edits => ({ edits: [{ do: 'send', value }] });

/** Sends a member of the same object in place of the field. */
export const sendMember = (name: string, value: unknown): Edits => ({ edits: [{ do: 'send', name, value }] });

/** `sendMember` for an option, whose value is a text or a list of texts. */
export const sendOption: (name: string, value: string | readonly string[]) => Edits = sendMember;

/** Sends an option; the field stays. */
export const addOption = (name: string, value: string | readonly string[]): Edits => ({
  edits: [{ do: 'add', name, value }],
});

/** Sends a member in another place in place of the field. */
export const sendIn = (place: Place, name: string, value: unknown): Edits => ({
  edits: [{ do: 'send', name, value, in: place }],
});

/** Sends a member in another place; the field stays. */
export const addIn = (place: Place, name: string, value: unknown): Edits => ({
  edits: [{ do: 'add', name, value, in: place }],
});

/** Sends several members of the same object in place of the field. */
export const sendMembers = (members: Readonly<Record<string, unknown>>): Edits => ({
  edits: Object.entries(members).map(([name, value]) => ({ do: 'send', name, value })),
});

export const rename = (to: string): Edits => ({ edits: [{ do: 'rename', to }] });

/** Replaces a word of the value. */
export const replacePart = (part: string, by: string): Edits => ({ edits: [{ do: 'replace', part, by }] });

/** A fix with an alternative. */
export const orElse = (fix: Edits, or: Edits | string): Edits => ({ ...fix, or });

/** Leaves the field out, or the member of this name. */
export const leaveOut = (name?: string, why?: string): Edits => ({
  edits: [{ do: 'remove', ...(name !== undefined && { name }) }],
  ...(why !== undefined && { why }),
});

/** Whether a fix leaves a choice to the client. */
export const hasChoice = ({ or, isNearest = false, isExample = false }: Edits): boolean =>
  isExample || (or !== undefined && !isNearest);

/** The only change of a fix. undefined if there are several, if it leaves a choice, or if it is a text. */
function onlyEdit(fix: AnyFix): Edit | undefined {
  if (!hasEdits(fix) || hasChoice(fix)) return undefined;
  const [only, ...others] = fix.edits;
  return others.length === 0 ? only : undefined;
}

/** The value with which a fix replaces the value of the field. undefined if the fix does something else. */
export function valueSentBy(fix: AnyFix): unknown {
  const edit = onlyEdit(fix);
  return edit?.do === 'send' && edit.name === undefined ? edit.value : undefined;
}

/** The member that a fix leaves out. Without a name, that is the field. undefined if the fix does something else. */
export function removedBy(fix: AnyFix): { readonly name?: string } | undefined {
  const edit = onlyEdit(fix);
  return edit?.do === 'remove' ? edit : undefined;
}

/** The value of the member `name`, if a fix sends it in place of the field and does nothing else. */
export function memberSentBy(fix: AnyFix, name: string): unknown {
  const edit = onlyEdit(fix);
  return edit?.do === 'send' && edit.name === name ? edit.value : undefined;
}

/** A fix with one more change. */
export const withMore = ({ edits, ...rest }: Edits, more: Edit): Edits => ({ ...rest, edits: [...edits, more] });

/** Whether a fix is data. Others are texts. */
export const hasEdits = (fix: AnyFix): fix is Edits => typeof fix === 'object' && 'edits' in fix;

/** A fix as a sentence: `Send "b:v": "2M" and "maxrate": "2M".` */
export function editsText(fix: Edits): string {
  const { or, note } = fix;
  const choice = or === undefined ? '' : `, or ${typeof or === 'string' ? or : lowered(clauseOf(or))}`;
  return `${clauseOf(fix)}${choice}.${note === undefined ? '' : ` ${note}`}`;
}

/** The sentence without its end: `Leave it out: the processor decodes`. */
function clauseOf({ edits, why, isExample = false }: Edits): string {
  const sent = edits.filter((edit) => edit.do !== 'remove');
  const groups: { readonly place: string; readonly texts: string[] }[] = [];
  for (const edit of sent) {
    const place = 'in' in edit && edit.in !== undefined ? placeWords(edit.in) : '';
    const last = groups.at(-1);
    if (last?.place === place) last.texts.push(sentText(edit));
    else groups.push({ place, texts: [sentText(edit)] });
  }
  const isAddition = edits.some((edit) => edit.do === 'add');
  const names = new Set(sent.map((edit) => ('name' in edit ? edit.name : undefined)));
  const left = edits.flatMap((edit) => {
    if (edit.do !== 'remove') return [];
    const { name } = edit;
    return [name === undefined ? 'it' : `${names.has(name) ? 'this ' : ''}${quotedName(name)}`];
  });
  const parts = [
    ...(groups.length > 0
      ? [
          `Send${isExample ? ', for example,' : ''} ${groups.map(({ place, texts }) => `${listed(texts)}${place}`).join(', and ')}${isAddition ? ' as well' : ''}`,
        ]
      : []),
    ...(left.length > 0 ? [`${groups.length > 0 ? 'leave' : 'Leave'} ${listed(left)} out`] : []),
  ];
  return `${parts.join(', and ')}${why === undefined ? '' : `: ${why}`}`;
}

function sentText(edit: Exclude<Edit, { do: 'remove' }>): string {
  switch (edit.do) {
    case 'rename':
      return json(edit.to);
    case 'replace':
      return json(edit.by);
    case 'send':
    case 'add':
      return edit.name === undefined ? json(edit.value) : `${quotedName(edit.name)}: ${json(edit.value)}`;
  }
}

function placeWords(place: Place): string {
  if (place === 'request') return '';
  if (place === 'parameters') return ' in the "parameters" of the request';
  return 'beside' in place ? ` beside ${json(place.beside)}` : ' in the "parameters" of this output';
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const json = (value: unknown): string => JSON.stringify(value);

/** A name as JSON. Those of options have nothing to escape. */
const quotedName = (name: string): string => (/^[\w:.-]*$/.test(name) ? `"${name}"` : json(name));

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
