// Chooses the folder in which commands of a user keep what they need again: compiled code, which Node runs without a check
// of its owner, and catalogues of ffmpeg, which decide what a request may use.
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** The permission bits that let the group or everyone write. */
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * Returns `telecine` in the user's cache folder ($XDG_CACHE_HOME, or ~/.cache), and creates it with mode 0700. Returns
 * undefined if it cannot be created, or if another user could write to it or replace it.
 */
export function userCacheFolder() {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  try {
    const parent = cacheHome(uid);
    if (parent === undefined || !isProtected(parent, uid)) return undefined;
    const folder = join(parent, 'telecine');
    makeFolder(folder);
    const stats = lstatSync(folder);
    const isPrivate = stats.isDirectory() && stats.uid === uid && (stats.mode & WRITABLE_BY_OTHERS) === 0;
    return isPrivate ? folder : undefined;
  } catch {
    // Without a cache, the program only starts slower.
    return undefined;
  }
}

function cacheHome(uid) {
  const configured = process.env.XDG_CACHE_HOME;
  if (configured && isAbsolute(configured)) return realpathSync(configured);
  // A missing home folder is not created: accounts of services often have none.
  const home = realpathSync(homedir());
  // Root may have the HOME of another user (sudo -E, su). That user could not use a ~/.cache that root owns.
  if (!isProtected(home, uid)) return undefined;
  const folder = join(home, '.cache');
  makeFolder(folder);
  return realpathSync(folder);
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/**
 * Whether no other user except root can rename an entry of `folder` or of a folder above it. In a sticky folder such as
 * /tmp, only the owner of an entry can.
 */
function isProtected(folder, uid) {
  const { mode, uid: owner } = lstatSync(folder);
  if (owner !== uid && owner !== 0) return false;
  if ((mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0) return false;
  return folder === dirname(folder) || isProtected(dirname(folder), uid);
}
