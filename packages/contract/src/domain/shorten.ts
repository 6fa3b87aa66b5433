/** Cuts a text after `max` characters and adds an ellipsis. */
export const shorten = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);
