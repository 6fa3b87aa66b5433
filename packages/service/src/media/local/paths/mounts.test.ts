import { expect, test } from 'vitest';
import { deviceOf, diskOf, isLocalFrom, isLocalTree, parseMounts } from './mounts.ts';

const mounts = parseMounts(
  [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
    '23 22 0:5 / /proc rw - proc proc rw',
    '24 22 0:44 / /srv/media/nas rw shared:9 - nfs4 nas:/films rw,hard',
    '25 22 8:2 / /srv/my\\040films rw - xfs /dev/sdb1 rw',
    '26 22 0:50 / /srv/cloud rw - fuse.rclone remote: rw',
    '27 22 8:3 / /srv/cloud rw - ext4 /dev/sdc1 rw',
    '29 22 8:2 / /srv/bind rw - xfs /dev/sdb1 rw',
    '28 22 0:51 / /srv/gpfs rw - gpfs films rw',
    '',
  ].join('\n'),
);

test.each([
  ['/srv/other', true],
  ['/srv/media/in', true],
  ['/srv/media/nas', false],
  ['/srv/media/nas/in', false],
  // A network disk is mounted below it.
  ['/srv/media', false],
  ['/srv/media/nas2', true],
  ['/srv/my films/in', true],
  // The last mount at a point hides the others.
  ['/srv/cloud/in', true],
])('whether %s is on local disks: %s', (folder, expected) => {
  expect(isLocalTree(mounts, folder)).toBe(expected);
});

test.each([
  ['/srv/media', '/srv/media/in/a.mp4', true],
  ['/srv/media', '/srv/media', true],
  ['/srv/media', '/srv/media/nas', false],
  ['/srv/media', '/srv/media/nas/a.mp4', false],
  ['/srv/media', '/srv/media/nas2/a.mp4', true],
  // A symlink leads there.
  ['/srv/media', '/srv/my films/a.mp4', true],
  ['/srv/other', '/srv/media/nas/a.mp4', false],
  ['/', '/srv/media/nas/a.mp4', false],
  ['/', '/srv/a.mp4', true],
  // A file system that is not known could be one on a network.
  ['/srv/gpfs', '/srv/gpfs/a.mp4', false],
])('from a root %s on a local disk, whether %s is on a local disk: %s', (root, path, expected) => {
  expect(isLocalFrom(mounts, root)(path)).toBe(expected);
});

test('a folder of which no mount is known could hang', () => {
  expect(isLocalTree([], '/srv')).toBe(false);
});

test('where no mount is known, all is local to which a local media root leads', () => {
  expect(isLocalFrom([], '/srv')('/mnt/a.mp4')).toBe(true);
});

test('paths of the same disk have the same name', () => {
  expect(diskOf(mounts, '/srv/media/nas/a')).toBe(diskOf(mounts, '/srv/media/nas/b/c'));
  expect(diskOf(mounts, '/srv/media/nas')).not.toBe(diskOf(mounts, '/srv/media'));
});

test('a file system that is mounted twice is one device', () => {
  const [first, bind] = ['/srv/my films/a', '/srv/bind/a'].map((path) => deviceOf(mounts, path));
  expect(bind).toBe(first);
  expect(deviceOf(mounts, '/srv/media/nas')).not.toBe(first);
});
