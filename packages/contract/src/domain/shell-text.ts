/** A part of a text, by offsets in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  /** The offset after the last character. */
  readonly to: number;
}

/** A remark about a part of a text, for the person who wrote the text. */
export interface TextFinding extends TextRange {
  readonly message: string;
  readonly fix?: string;
}

/** One word of a command, without quotes and backslashes. */
export interface ShellWord extends TextRange {
  readonly text: string;
}

/** The commands in a text, and the parts that only a shell can run. */
interface ShellText {
  readonly commands: readonly (readonly ShellWord[])[];
  readonly errors: readonly TextFinding[];
  /** Parts that were left out without changing the conversion. */
  readonly notes: readonly TextFinding[];
}

/** Quotes that word processors and web pages put in place of plain quotes. */
const QUOTES: Readonly<Record<string, string>> = { '“': '"', '”': '"', '„': '"', '‘': "'", '’': "'" };
/** Dashes that word processors and web pages put in place of the hyphen before an option. */
const DASHES = /^[–—−]+/;

/** Characters that continue a command on the next line in POSIX shells, cmd and PowerShell. */
const CONTINUED = /^[\\^`][ \t]*\r?\n/;
const VARIABLE = /^\$(?:\w+|\{[^}\n]*\}?|\([^)\n]*\)?)/;
/** A redirection with its target: a file or another descriptor. */
const REDIRECTION = /^(?:\d?>>?|&>>?|<)[ \t]*(?:&\d|[^\s;|&<>]+)?/;
/** Redirections without an effect on the conversion. What ffmpeg prints is in the log of the job. */
const HARMLESS = /^(?:\d?>>?|&>>?|<)[ \t]*(?:&\d|\/dev\/(?:null|stdin|tty)|NUL|[^\s]+\.(?:log|txt))$/i;

/** Splits a text into commands and words like a POSIX shell. Reports parts that only a shell can run: variables, pipes, redirections. */
export function readShellText(text: string): ShellText {
  const reader = new ShellReader(text);
  reader.read();
  return reader;
}

class ShellReader implements ShellText {
  readonly commands: ShellWord[][] = [];
  readonly errors: TextFinding[] = [];
  readonly notes: TextFinding[] = [];
  readonly #text: string;
  #at = 0;
  #words: ShellWord[] = [];
  #word: { text: string; from: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
  }

  #step(): void {
    const rest = this.#text.slice(this.#at);
    const char = rest.charAt(0);
    const continued = CONTINUED.exec(rest);
    if (continued !== null) {
      this.#endWord();
      this.#at += continued[0].length;
    } else if (char === '\n' || char === ';' || rest.startsWith('&&')) {
      this.#endCommand();
      this.#at += char === '&' ? 2 : 1;
    } else if (/\s/.test(char)) {
      this.#endWord();
      this.#at += 1;
    } else if (char === '#' && this.#word === undefined) this.#at = `${this.#text}\n`.indexOf('\n', this.#at);
    else if (QUOTES[char] !== undefined || char === '"' || char === "'") this.#quoted(QUOTES[char] ?? char);
    else if ((this.#word === undefined || /^[<>&]/.test(char)) && REDIRECTION.test(rest)) this.#redirection(rest);
    else if (char === '|') this.#fail(1, 'A pipe connects two programs, and a conversion runs only ffmpeg.', PIPE_FIX);
    else if (char === '&') this.#note(1, 'Left out: the job runs in the background anyway.');
    else if (char === '$' || char === '`') this.#expansion(rest);
    else if (char === '\\' && !this.#isWindowsPath()) {
      this.#append(rest.charAt(1));
      this.#at += 2;
    } else {
      this.#append(this.#word === undefined ? rest.charAt(0).replace(DASHES, '-') : char);
      this.#at += 1;
    }
  }

  #append(text: string): void {
    this.#word = { from: this.#word?.from ?? this.#at, text: `${this.#word?.text ?? ''}${text}` };
  }

  /** Whether the current word is a Windows path such as `C:\Films\a.mov`. Windows shells keep the backslashes. */
  #isWindowsPath(): boolean {
    return /^[A-Za-z]:/.test(this.#word?.text ?? '');
  }

  #quoted(quote: string): void {
    const start = this.#at;
    this.#append('');
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      const next = this.#text.charAt(this.#at + 1);
      if ((QUOTES[char] ?? char) === quote) {
        this.#at += 1;
        return;
      }
      if (quote === '"' && char === '\\' && /["\\$`\n]/.test(next)) {
        this.#append(next === '\n' ? '' : next);
        this.#at += 2;
      } else if (quote === '"' && (char === '$' || char === '`')) this.#expansion(this.#text.slice(this.#at));
      else {
        this.#append(char);
        this.#at += 1;
      }
    }
    const message = `The quote ${this.#text.charAt(start)} is never closed.`;
    this.errors.push({ from: start, to: this.#text.length, message, fix: `Close it with another ${quote}.` });
  }

  #expansion(rest: string): void {
    const shown = (rest.startsWith('`') ? /^`[^`\n]*`?/ : VARIABLE).exec(rest)?.[0];
    if (shown === undefined) {
      this.#append('$');
      this.#at += 1;
      return;
    }
    const isCommand = /^(?:`|\$\()/.test(shown);
    const message = isCommand
      ? `${shown} is replaced by what a command prints, and no shell runs here.`
      : `${shown} is a variable, which has no value here.`;
    this.errors.push({ from: this.#at, to: this.#at + shown.length, message, fix: 'Write the value instead.' });
    this.#append(shown);
    this.#at += shown.length;
  }

  #redirection(rest: string): void {
    const shown = REDIRECTION.exec(rest)?.[0] ?? rest.charAt(0);
    const message = `The redirection "${shown}" needs a shell, and no shell runs here.`;
    if (HARMLESS.test(shown))
      this.#note(shown.length, `Left out: ${shown}. The log of ffmpeg is on the page of the job.`);
    else this.#fail(shown.length, message, 'Name the input after -i, and the output as the last word.');
  }

  #fail(length: number, message: string, fix: string): void {
    this.#endWord();
    this.errors.push({ from: this.#at, to: this.#at + length, message, fix });
    this.#at += length;
  }

  #note(length: number, message: string): void {
    this.#endWord();
    this.notes.push({ from: this.#at, to: this.#at + length, message });
    this.#at += length;
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push({ ...this.#word, to: this.#at });
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0) this.commands.push(this.#words);
    this.#words = [];
  }
}

const PIPE_FIX = 'Send only the part that is ffmpeg. Name its input after -i, and its output as the last word.';

/** Quotes a text for a POSIX shell, in commands for people to copy. The service runs no shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The option with the list of all allowed formats. The service sets it for each input. */
const FORMAT_LIST = '-format_whitelist';

/** The arguments of ffmpeg without the list of all formats. The list is longer than all other arguments and does not help a reader. */
export const shownArguments = (argv: readonly string[]): readonly string[] =>
  argv.filter((word, index) => word !== FORMAT_LIST && argv[index - 1] !== FORMAT_LIST);
