/** The first sentence of a text, or all of it if it has none. */
export const firstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
