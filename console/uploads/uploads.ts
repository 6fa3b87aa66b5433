import { loadPart } from '../app/load-part.ts';
import type { ChosenFile } from './chosen-files.ts';
import { nextPath, startingItem, type UploadItem, uploadItem, withStarting } from './upload-item.ts';
import type { UppyUploads } from './uppy-uploads.ts';

/** Where the browser keeps the id of the store of unfinished uploads. If there is one, Uppy is loaded at once, to continue them. */
const unfinishedKey = (clientId: string): string => `telecine-uploads:${clientId}`;

/**
 * The uploads of one client in this browser. They go on while other pages of the console are shown, and after a lost connection, a
 * restart of the service or a reload. Uppy is loaded with the first file.
 */
export class Uploads {
  readonly #clientId: string;
  readonly #watchers = new Set<() => void>();
  #uppy: Promise<UppyUploads> | undefined;
  /** Files that were added and that Uppy, which is loading, does not have yet. */
  #starting: readonly Starting[] = [];
  /** The files of Uppy. */
  #started: readonly UploadItem[] = [];
  #items: readonly UploadItem[] = [];

  constructor(clientId: string) {
    this.#clientId = clientId;
    if (window.localStorage.getItem(unfinishedKey(clientId)) !== null) this.#load().catch(ignore);
  }

  /** All uploads that were not removed, in the order in which they were added. */
  get items(): readonly UploadItem[] {
    return this.#items;
  }

  /** Calls `onChange` after each change of `items`. Returns a function that ends this. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  /**
   * Begins to upload files to a folder, which is '' or ends with a slash. Returns their paths. A file that is being uploaded to the same
   * path is left as it is; one whose content was lost with a reload continues.
   */
  add(files: readonly ChosenFile[], folder = ''): readonly string[] {
    const added = files.map(({ file, path }) => ({ file, item: startingItem(folder + path, file.size) }));
    this.#starting = [...this.#starting, ...added];
    this.#show();
    void this.#begin(added);
    return added.map(({ item }) => item.path);
  }

  /** Tries failed uploads again. Default: all that failed without an answer of the service, or because the session had ended. */
  retry(id?: string): void {
    const failed = this.#items
      .filter((item) => item.state === 'failed' && (item.code === undefined || item.code === 'INVALID_TOKEN'))
      .map((item) => item.id);
    for (const each of id === undefined ? failed : [id]) this.#again(each, {});
  }

  /** Uploads a file that was rejected because its path exists, and replaces what is there. */
  replace(id: string): void {
    this.#again(id, { replaces: true });
  }

  /** Uploads a file that was rejected because its path exists, under a name with a number. Returns its path. */
  rename(id: string): string {
    const path = nextPath(this.#items.find((item) => item.id === id)?.path ?? '');
    this.#again(id, { path });
    return path;
  }

  /** Ends an upload and removes its row. What has arrived of an unfinished one is deleted. */
  remove(id: string): void {
    this.#starting = this.#starting.filter(({ item }) => item.id !== id);
    this.#show();
    this.#uppy?.then((uppy) => uppy.removeFile(id)).catch(ignore);
  }

  /** Removes the rows of uploads that are done at a path, whose file was deleted. */
  removeDone(path: string): void {
    for (const item of this.#items) if (item.state === 'done' && item.path === path) this.remove(item.id);
  }

  /** Gives files to Uppy, unless they were removed while it was loading. */
  async #begin(added: readonly Starting[]): Promise<void> {
    const uppy = await this.#load().catch(ignore);
    const wanted = added.filter((one) => this.#starting.includes(one));
    this.#starting = this.#starting.filter((one) => !added.includes(one));
    if (uppy === undefined) this.#starting = [...this.#starting, ...wanted.map(notLoaded)];
    else for (const { file, item } of wanted) addFile(uppy, file, item.path);
    this.#show();
  }

  #again(id: string, meta: { readonly replaces?: boolean; readonly path?: string }): void {
    void this.#uppy?.then((uppy) => {
      const { problem: _, ...before } = uppy.getFile(id).meta;
      uppy.setFileState(id, { meta: { ...before, ...meta } });
      return uppy.retryUpload(id);
    });
  }

  #load(): Promise<UppyUploads> {
    this.#uppy ??= this.#start();
    return this.#uppy;
  }

  async #start(): Promise<UppyUploads> {
    const { createUppy, restored } = await loadPart(() => import('./uppy-uploads.ts'));
    const key = unfinishedKey(this.#clientId);
    const unfinished = window.localStorage.getItem(key);
    // A restored store replaces all files of Uppy, so an empty one must have a name that no page has used.
    const store = unfinished ?? `${this.#clientId}-${Date.now()}`;
    const uppy = createUppy(store);
    uppy.on('state-update', () => {
      const items = uppy.getFiles().map(uploadItem);
      if (items.every(({ state }) => state === 'done')) window.localStorage.removeItem(key);
      else window.localStorage.setItem(key, store);
      this.#started = items;
      this.#show();
    });
    if (unfinished !== null) await restored(uppy);
    return uppy;
  }

  #show(): void {
    this.#items = withStarting(
      this.#started,
      this.#starting.map(({ item }) => item),
    );
    for (const onChange of this.#watchers) onChange();
  }
}

/** A file that Uppy does not have yet. */
interface Starting {
  readonly file: File;
  readonly item: UploadItem;
}

const ignore = (): undefined => undefined;

/**
 * The same file if Uppy could not be loaded: the service cannot be reached, or has been replaced by another version. A browser does not
 * load a script again that it could not load.
 */
const notLoaded = ({ file, item }: Starting): Starting => ({
  file,
  item: { ...item, state: 'failed', code: 'NOT_LOADED', message: 'The page could not load what uploads files.' },
});

function addFile(uppy: UppyUploads, file: File, path: string): void {
  // Uppy finds out by the relative path that a file is another one.
  const meta = { path, relativePath: path };
  const earlier = uppy.getFiles().find((one) => one.meta.path === path);
  if (earlier?.progress.uploadComplete || (earlier?.error ?? null) !== null) uppy.removeFile(earlier?.id ?? '');
  else if (earlier !== undefined && !earlier.isGhost) return;
  uppy.addFile({ name: file.name, type: file.type, data: file, meta });
}
