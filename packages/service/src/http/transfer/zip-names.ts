import type { NamedFile } from '../../files/named-files.ts';

/** What simple unpackers on Windows take for a folder or a drive, and marks with which a name shows another extension. */
const UNSAFE = /\\|(?<=^[A-Za-z]):|\p{Bidi_Control}/gu;

/** Gives files names that each unpacker keeps in its folder. Names that become equal get a number. */
export function withSafeNames(files: readonly NamedFile[]): readonly NamedFile[] {
  const taken = new Set(files.map(({ name }) => name));
  let number = 1;
  return files.map((file) => {
    const safe = file.name.replace(UNSAFE, '_');
    if (safe === file.name) return file;
    let name = safe;
    // Never count from 1 again: thousands of names can become the same one.
    for (; taken.has(name); number += 1) name = safe.replace(/(\.[^./]*)?$/, `-${number + 1}$1`);
    taken.add(name);
    return { ...file, name };
  });
}
