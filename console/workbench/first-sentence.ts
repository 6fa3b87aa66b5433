/** The first sentence of a text. If no sentence ends, returns the whole text. */
export const firstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

const REPEATED = /^(?:Converts|Compresses) a video to (?:an? )?/;

/** The first sentence of a recipe without the words with which many begin: `MP4 that plays in every browser.` */
export function purposeOf(description: string): string {
  const text = firstSentence(description).replace(REPEATED, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
