/**
 * The object in which an edit sets a member. Default: the object that contains the field. If the field is inside a member with the name of
 * the edit, such as "inputs" for `/inputs/0/input`, the edit replaces this member.
 */
export type Place =
  /** A member of the request, such as "join". */
  | 'request'
  /** An option in the "parameters" of the request. */
  | 'parameters'
  /** A member of the object that has this name as a member: `beside: 'parameters'` in `/outputs/0/parameters/crf` means `/outputs/0`. */
  | { readonly beside: string }
  /** An option in the "parameters" of an output. `output`: the JSON Pointer to the element of "outputs". */
  | { readonly output: string };

/** One change of a request, relative to the field of the error or warning. */
export type Edit =
  /**
   * Without `name`: replaces the value of the field. With `name`: sends the member with this name, and removes the field unless the field is
   * this member or inside it.
   */
  | { readonly do: 'send'; readonly value: unknown; readonly name?: string; readonly in?: Place }
  /** Sends another member. The field stays. */
  | { readonly do: 'add'; readonly name: string; readonly value: unknown; readonly in?: Place }
  /** Removes the field. With `name`: removes the member with this name from the same object. */
  | { readonly do: 'remove'; readonly name?: string }
  /** Sends the value of the field under another name. */
  | { readonly do: 'rename'; readonly to: string }
  /** Replaces a part of the value, which is a text. The part is a whole word. */
  | { readonly do: 'replace'; readonly part: string; readonly by: string };

/** A fix as data: changes to make together. */
export interface Edits {
  readonly edits: readonly Edit[];
  /** Why the edits help, as the end of the sentence: `the processor decodes`. */
  readonly why?: string;
  /** An alternative: other edits, or a text for the end of the sentence. With an alternative, a program leaves the choice to the client. */
  readonly or?: Edits | string;
  /** The effect of the edits, as a separate sentence. */
  readonly note?: string;
}

type AnyFix = Edits | string | readonly unknown[] | undefined;

/** Replaces the value of the field. */
export const sendValue = (value: unknown): Edits => ({ edits: [{ do: 'send', value }] });

/** Replaces the field by another member of the same object. */
export const sendMember = (name: string, value: unknown): Edits => ({ edits: [{ do: 'send', name, value }] });

/** `sendMember` for an option, whose value is a text or a list of texts. */
export const sendOption: (name: string, value: string | readonly string[]) => Edits = sendMember;

/** Adds an option. The field stays. */
export const addOption = (name: string, value: string | readonly string[]): Edits => ({
  edits: [{ do: 'add', name, value }],
});

/** Adds a member to another object. The field stays. */
export const addIn = (place: Place, name: string, value: unknown): Edits => ({
  edits: [{ do: 'add', name, value, in: place }],
});

export const rename = (to: string): Edits => ({ edits: [{ do: 'rename', to }] });

export const replacePart = (part: string, by: string): Edits => ({ edits: [{ do: 'replace', part, by }] });

export const orElse = (fix: Edits, or: Edits | string): Edits => ({ ...fix, or });

/** Removes the field, or the member with this name. */
export const leaveOut = (name?: string, why?: string): Edits => ({
  edits: [{ do: 'remove', ...(name !== undefined && { name }) }],
  ...(why !== undefined && { why }),
});

/** Whether a fix leaves a choice to the client. */
export const hasChoice = ({ or }: Edits): boolean => or !== undefined;

/** Whether a fix is data (`Edits`). Any other fix is a text. */
export const hasEdits = (fix: AnyFix): fix is Edits => typeof fix === 'object' && 'edits' in fix;

/** A fix as a sentence: `Send "b:v": "2M" and "maxrate": "2M".` */
export function editsText(fix: Edits): string {
  const { or, note } = fix;
  const choice = or === undefined ? '' : `, or ${typeof or === 'string' ? or : lowered(clauseOf(or))}`;
  return `${clauseOf(fix)}${choice}.${note === undefined ? '' : ` ${note}`}`;
}

/** The first part of the sentence: `Leave it out: the processor decodes`. */
function clauseOf({ edits, why }: Edits): string {
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
          `Send ${groups.map(({ place, texts }) => `${listed(texts)}${place}`).join(', and ')}${isAddition ? ' as well' : ''}`,
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

/** A name in quotes, as JSON. Names of options contain nothing to escape. */
const quotedName = (name: string): string => (/^[\w:.-]*$/.test(name) ? `"${name}"` : json(name));

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
