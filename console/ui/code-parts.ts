/** A text in quotes, such as the name of a file, whose backticks are its own; or a name between backticks. */
const QUOTED_OR_CODE = /"(?:[^"\\]|\\.)*"|`([^`]+)`/gs;

/** The parts of a text: each second one was between backticks. A backtick in quotes or without a partner is part of the text. */
export function codeParts(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: all, 1: code, index } of text.matchAll(QUOTED_OR_CODE)) {
    if (code === undefined) continue;
    parts.push(text.slice(from, index), code);
    from = index + all.length;
  }
  return [...parts, text.slice(from)];
}

/** The text of a message for a place that holds only text, such as a tooltip. */
export const withoutCode = (text: string): string => codeParts(text).join('');
