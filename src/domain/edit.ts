/** A change of a request. It changes the field that a finding is about, or another member of the same object. */
export type Edit =
  /**
   * Without `name`: replaces the value of the field. With `name`: sends this member, and removes the field, unless the field is this
   * member.
   */
  | { readonly do: 'send'; readonly value: unknown; readonly name?: string }
  /** Sends a member beside the field, which stays. */
  | { readonly do: 'add'; readonly name: string; readonly value: unknown }
  /** Leaves out the field, or the member of this name. */
  | { readonly do: 'remove'; readonly name?: string };

/** A fix as data: changes that are made together. A fix either sends all its members or adds all of them. */
export interface Edits {
  readonly edits: readonly Edit[];
  /** Why they help, as the end of the sentence: `the processor decodes`. */
  readonly why?: string;
  /** What else would help, as the end of the sentence. A program then leaves the choice to the client. */
  readonly or?: string;
}

/** A fix in any form, or none. */
type AnyFix = Edits | string | readonly unknown[] | undefined;

/** Replaces the value of the field. */
export const sendValue = (value: unknown): Edits => ({ edits: [{ do: 'send', value }] });

/** Sends a member of the same object in place of the field. */
export const sendMember = (name: string, value: unknown): Edits => ({ edits: [{ do: 'send', name, value }] });

/** `sendMember` for a member whose value is a text or a list of texts, as those of all options are. */
export const sendOption: (name: string, value: string | readonly string[]) => Edits = sendMember;

/** Sends an option beside the field. */
export const addOption = (name: string, value: string | readonly string[]): Edits => ({
  edits: [{ do: 'add', name, value }],
});

/** Leaves the field out, or the member of this name. */
export const leaveOut = (name?: string, why?: string): Edits => ({
  edits: [{ do: 'remove', ...(name !== undefined && { name }) }],
  ...(why !== undefined && { why }),
});

/** The only change of a fix. undefined if there are several, if it leaves a choice, or if it is a text. */
function onlyEdit(fix: AnyFix): Edit | undefined {
  if (!hasEdits(fix) || fix.or !== undefined) return undefined;
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
export function editsText({ edits, why, or }: Edits): string {
  const sent = edits.flatMap((edit) => {
    if (edit.do === 'remove') return [];
    return [edit.name === undefined ? json(edit.value) : `"${edit.name}": ${json(edit.value)}`];
  });
  const isAddition = edits.some((edit) => edit.do === 'add');
  const left = edits.flatMap((edit) =>
    edit.do === 'remove' ? [edit.name === undefined ? 'it' : JSON.stringify(edit.name)] : [],
  );
  const parts = [
    ...(sent.length > 0 ? [`Send ${listed(sent)}${isAddition ? ' as well' : ''}`] : []),
    ...(left.length > 0 ? [`${sent.length > 0 ? 'leave' : 'Leave'} ${listed(left)} out`] : []),
  ];
  return `${parts.join(', and ')}${why === undefined ? '' : `: ${why}`}${or === undefined ? '' : `, or ${or}`}.`;
}

const json = (value: unknown): string => JSON.stringify(value);

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
