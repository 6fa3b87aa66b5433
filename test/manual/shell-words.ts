/** A mark outside of quotes that ends a command: a newline, `;`, `|`, `&`, `<` or `>`. */
const ENDS = '\n;|&<>';

/**
 * Splits text into commands and those into words, as a POSIX shell does. Returns undefined if a quote is not closed, or
 * where a shell would expand variables or commands.
 */
export function shellCommands(text: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') {
      at += 1;
      if (text.charAt(at) !== '\n') word = (word ?? '') + text.charAt(at);
    } else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return undefined;
      word = (word ?? '') + text.slice(at + 1, close);
      at = close;
    } else if (char === '"') {
      const quoted = /^(?:[^"\\]|\\.)*"/s.exec(text.slice(at + 1))?.[0];
      if (quoted === undefined || /(?<!\\)[$`]/.test(quoted)) return undefined;
      word = (word ?? '') + quoted.slice(0, -1).replaceAll(/\\(["\\$`\n])/g, (_, one) => (one === '\n' ? '' : one));
      at += quoted.length;
    } else if (char === '$' || char === '`') return undefined;
    else if (char === '#' && word === undefined) at = `${text}\n`.indexOf('\n', at) - 1;
    else if (' \t\r'.includes(char) || ENDS.includes(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (!ENDS.includes(char)) continue;
      if (words.length > 0) commands.push(words);
      words = [];
    } else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return words.length > 0 ? [...commands, words] : commands;
}
