import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';

/** Says what a word should be that stands for a verb. */
export function wrongVerb(word: string, others: readonly string[], verbs: readonly string[]): string {
  const meant = closestMatch(word, verbs);
  if (meant !== undefined) return `unknown command "${word}". Did you mean "${meant}"?`;
  const names = others.length === 0 ? `\nTo see the watch "${word}": telecine watch show ${shellWord(word)}` : '';
  return `unknown command "${word}". Use one of: ${verbs.join(', ')}.${names}`;
}
