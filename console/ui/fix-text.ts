/** A fix in the words of a page: the service writes for programs, which send a value, and a person uses it. */
export const fixText = (fix: string): string =>
  fix.replace(/\b([Ss])end(?=, for example\b| (?:["\d]|another\b|an? (?!dry run)))/g, (_, first: string) =>
    first === 'S' ? 'Use' : 'use',
  );
