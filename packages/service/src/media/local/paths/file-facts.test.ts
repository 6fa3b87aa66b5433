import { expect, test } from 'vitest';
import { isFuseIn } from './file-facts.ts';

const MOUNTS = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
42 27 0:39 / /srv/media rw,nosuid shared:7 - fuse.mergerfs /mnt/a rw,user_id=0
43 27 0:40 / /srv/other rw - fuse /mnt/a rw,user_id=0
44 27 8:17 / /mnt/ntfs rw - fuseblk /dev/sdb1 rw
45 27 0:300 / /srv/far rw - fuse.sshfs host: rw
`;

test('knows the devices of FUSE file systems', () => {
  const devices = { '0:39': 39n, '0:40': 40n, '0:300': 0x10002cn, '254:0': 65024n, '8:17': 2065n, '0:99': 99n };
  const found = Object.entries(devices).filter(([, dev]) => isFuseIn(MOUNTS, dev));
  expect(found.map(([number]) => number)).toEqual(['0:39', '0:40', '0:300']);
});
