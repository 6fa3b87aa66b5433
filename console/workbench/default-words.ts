/** What applies if an argument without a default value is empty, as its description says: `the colour in the file`. undefined: it does not. */
export const defaultWords = (description: string): string | undefined =>
  /\bDefault: (.+?)\.?$/.exec(description.trim())?.[1];
