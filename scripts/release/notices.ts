import { NOTICE_SEPARATOR } from '../../rolldown.config.ts';

/** The name of the file in which a build states the licences of the packages that it bundles. */
export const NOTICES = 'THIRD-PARTY-LICENSES';

export interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The whole entry, with the text of the licence. */
  readonly text: string;
}

/** Reads a `THIRD-PARTY-LICENSES`. Throws if an entry is not name, version and licence, and a text. */
export function readNotices(file: string): readonly Notice[] {
  if (file === '') return [];
  return file.split(NOTICE_SEPARATOR).map((text) => {
    const [, name, version, licence] = /^(\S+) (\S+) \((.+)\)\n\n\S/.exec(text) ?? [];
    if (name === undefined || version === undefined || licence === undefined)
      throw new Error(`An entry of ${NOTICES} does not begin with a package, or has no text: ${text.slice(0, 100)}`);
    return { name, version, licence, text };
  });
}

/** Merges the entries of several files into one. Entries with the same name and version appear once. */
export function mergeNotices(notices: readonly Notice[]): string {
  const entries = new Map(notices.map(({ name, version, text }) => [`${name} ${version}`, text]));
  return [...entries.keys()]
    .toSorted()
    .map((key) => entries.get(key))
    .join(NOTICE_SEPARATOR);
}
