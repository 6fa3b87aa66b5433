/** Arguments whose names are abbreviations. */
const LABELS: Readonly<Record<string, string>> = {
  fps: 'Frames per second',
  at: 'Time',
  by: 'Turn',
  every: 'Every',
  rate: 'Sample rate',
  truePeak: 'True peak',
};

/** The name of an argument of a recipe in words: `Font name` of `fontName`. */
export const argumentLabel = (name: string): string => {
  const words = LABELS[name] ?? name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
