/** The first sentence of a text. If no sentence ends, returns the whole text. */
export const firstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
