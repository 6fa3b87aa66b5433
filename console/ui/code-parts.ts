/** The parts of a text: each second one was between backticks. A backtick without a partner is part of the text. */
export const codeParts = (text: string): readonly string[] => text.split(/`([^`]+)`/);

/** The text of a message for a place that holds only text, such as a tooltip. */
export const withoutCode = (text: string): string => codeParts(text).join('');
