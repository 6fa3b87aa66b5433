import { loadPart } from '../app/load-part.ts';
import type { ChosenFile } from './chosen-files.ts';
import { nextPath, startingItem, type UploadItem, uploadItem, withStarting } from './upload-item.ts';
import type { UppyUploads } from './uppy-uploads.ts';

/** The storage key for the id of Uppy's store with unfinished uploads. If it is set, Uppy is loaded at once and continues them. */
const unfinishedKey = (clientId: string): string => `telecine-uploads:${clientId}`;

/**
 * The uploads of one client in this browser. They continue while other pages are shown, and after a lost connection, a restart of the
 * service, or a reload. Uppy is loaded when the first file is added.
 */
export class Uploads {
  readonly #clientId: string;
  /** The secret of the link that the page uploads by. undefined: by the session. */
  readonly link: string | undefined;
  readonly #watchers = new Set<() => void>();
  #uppy: Promise<UppyUploads> | undefined;
  /** Files that were added while Uppy was loading. */
  #starting: readonly Starting[] = [];
  #started: readonly UploadItem[] = [];
  #items: readonly UploadItem[] = [];

  constructor(clientId: string, link?: string) {
    this.#clientId = clientId;
    this.link = link;
    if (window.localStorage.getItem(unfinishedKey(clientId)) !== null) this.#load().catch(ignore);
  }

  /** All uploads except removed ones, in the order in which they were added. */
  get items(): readonly UploadItem[] {
    return this.#items;
  }

  /** Calls `onChange` after each change of `items`. Returns a function that stops this. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  /**
   * Starts to upload files to a folder, which is '' or ends with a slash. Returns their paths. If a file is already being uploaded to a
   * path, that upload is unchanged. If its content was lost in a reload, the upload continues.
   */
  add(files: readonly ChosenFile[], folder = ''): readonly string[] {
    const added = files.map(({ file, path }) => ({ file, item: startingItem(folder + path, file.size) }));
    this.#starting = [...this.#starting, ...added];
    this.#show();
    void this.#begin(added);
    return added.map(({ item }) => item.path);
  }

  /** Retries failed uploads. Default: all uploads that failed without a reply or because the session had ended. */
  retry(id?: string): void {
    const failed = this.#items
      .filter((item) => item.state === 'failed' && (item.code === undefined || item.code === 'INVALID_TOKEN'))
      .map((item) => item.id);
    for (const each of id === undefined ? failed : [id]) this.#again(each, {});
  }

  /** Uploads a file that was rejected because its path exists, and replaces the existing file. */
  replace(id: string): void {
    this.#again(id, { replaces: true });
  }

  /** Uploads a file that was rejected because its path exists, under a name with a number. Returns the new path. */
  rename(id: string): string {
    const path = nextPath(this.#items.find((item) => item.id === id)?.path ?? '');
    this.#again(id, { path });
    return path;
  }

  /** Ends an upload and removes its item. The service deletes the content of an unfinished upload. */
  remove(id: string): void {
    this.#starting = this.#starting.filter(({ item }) => item.id !== id);
    this.#show();
    this.#uppy?.then((uppy) => uppy.removeFile(id)).catch(ignore);
  }

  /** Removes the items of finished uploads to a path. Call it when the file at this path was deleted. */
  removeDone(path: string): void {
    for (const item of this.#items) if (item.state === 'done' && item.path === path) this.remove(item.id);
  }

  /** Adds files to Uppy, unless they were removed while Uppy was loading. */
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
      const { problem: _, isCompared: __, ...before } = uppy.getFile(id).meta;
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
    // Use a new store name if there are no unfinished uploads: restoring a store replaces all files of Uppy.
    const store = unfinished ?? `${this.#clientId}-${Date.now()}`;
    const uppy = createUppy(store, this.link);
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

interface Starting {
  readonly file: File;
  readonly item: UploadItem;
}

const ignore = (): undefined => undefined;

/**
 * The item of a file if Uppy could not be loaded, because the service cannot be reached or has another version. A browser does not load a
 * script again after a failure.
 */
const notLoaded = ({ file, item }: Starting): Starting => ({
  file,
  item: {
    ...item,
    state: 'failed',
    code: 'NOT_LOADED',
    message: 'The page could not load the code that uploads files.',
  },
});

function addFile(uppy: UppyUploads, file: File, path: string): void {
  // Set a relative path, because Uppy distinguishes files with the same name by it.
  const meta = { path, relativePath: path };
  const earlier = uppy.getFiles().find((one) => one.meta.path === path);
  if (earlier?.progress.uploadComplete || (earlier?.error ?? null) !== null) uppy.removeFile(earlier?.id ?? '');
  else if (earlier !== undefined && !earlier.isGhost) return;
  uppy.addFile({ name: file.name, type: file.type, data: file, meta });
}
