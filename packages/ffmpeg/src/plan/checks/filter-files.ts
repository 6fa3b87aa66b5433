import { parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import { baseName, FONTS_FOLDER, isFontFile, lastPart } from '@telecine/contract/domain/media-path.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Finds the inputs that filters read as files, and collects their indexes. */
export class FilterFiles {
  /** The indexes of these inputs. */
  readonly inputs = new Set<number>();
  readonly byContent = new Set<string>();
  readonly all: readonly ArgvInput[];
  readonly scope: PathScope;
  /** The index of each input by its path. If several inputs have the same path, the index of the first. */
  #indexes: ReadonlyMap<unknown, number> | undefined;
  #key: string | undefined;

  constructor(all: readonly ArgvInput[], scope: PathScope) {
    this.all = all;
    this.scope = scope;
  }

  /** All facts about the inputs that determine which files filters may read, as a text for comparisons. */
  get key(): string {
    this.#key ??= this.all
      .map(({ source }) => `${source.field} ${source.logical} ${source.sequence === undefined} ${source.path}`)
      .join('\n');
    return this.#key;
  }

  add(others: FilterFiles): void {
    for (const index of others.inputs) this.inputs.add(index);
    for (const logical of others.byContent) this.byContent.add(logical);
  }

  /**
   * The logical name of the input with this path. A file name without folder, or a path on another machine, also matches an input if no
   * other input has this file name. undefined: no input matches.
   */
  find(path: string, byContent: boolean): string | undefined {
    const parsed: unknown = parseRequestPath(path, this.scope, 'read');
    this.#indexes ??= new Map(
      this.all
        .flatMap(({ source }, at) => (source.sequence === undefined ? [[source.path, at] as const] : []))
        .reverse(),
    );
    const index = this.#indexes.get(parsed) ?? this.#indexOfName(path);
    const logical = this.all[index]?.source.logical;
    if (logical === undefined) return undefined;
    this.inputs.add(index);
    if (byContent) this.byContent.add(logical);
    return logical;
  }

  #indexOfName(path: string): number {
    const name = lastPart(path);
    if (name !== path && !HOST_PATH.test(path)) return -1;
    const named = this.all.flatMap(({ source }, at) =>
      source.sequence === undefined && baseName(source.path) === name ? [at] : [],
    );
    return named.length === 1 ? (named[0] ?? -1) : -1;
  }

  /** The logical name of the font folder, if an input is a font at or below this path. Otherwise the folders with fonts. */
  fontsIn(text: string): string | readonly string[] {
    const folder = text.replace(/(?<!\/)\/+$/, '');
    const parsed: unknown = folder === '.' ? '' : parseRequestPath(folder, this.scope, 'read');
    const fonts = this.#fonts.map((input) => ({ input, folder: folderOf(input.source.path) }));
    const all = this.allFonts();
    const isNamed = fonts.some((font) => font.input.source.path === parsed || font.folder === parsed);
    if (isNamed && all !== undefined) return all;
    return [...new Set(fonts.map((font) => (font.folder === '' ? '.' : font.folder)))];
  }

  /** The logical name of the font folder. undefined: no input is a font. */
  allFonts(): string | undefined {
    for (const font of this.#fonts) this.inputs.add(this.all.indexOf(font));
    return this.#fonts.length === 0 ? undefined : FONTS_FOLDER;
  }

  get #fonts(): readonly ArgvInput[] {
    return this.all.filter(({ source }) => isFontFile(source.path));
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Matches the start of an absolute path of any operating system. */
const HOST_PATH = /^(?:[a-z]:|~)?[\\/]/i;

/** Rejects fonts that no filter reads: ffmpeg would open them as media. Does nothing if there are other errors, which may be the reason. */
export function rejectUnreadFonts(opened: readonly ArgvInput[], errors: FieldError[]): void {
  if (errors.length > 0) return;
  for (const { source } of opened)
    if (isFontFile(source.path))
      errors.push({
        field: source.field,
        code: 'UNREAD_FONT',
        message: `No filter of the request reads the font ${quoted(source.path)}. "subtitles" and "ass" find fonts by their families, "drawtext" by the path in "fontfile".`,
      });
}
