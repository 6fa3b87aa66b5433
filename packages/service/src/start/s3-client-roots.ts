import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import type { ClientRoots } from '../auth/client-administration.ts';
import type { Config } from '../config/config.ts';
import { rootLocation, type S3Location, s3Root } from '../media/s3/location.ts';
import { storageClients } from './s3-storage.ts';

export function prefixRoots(config: Config, storage: S3Location): ClientRoots {
  const ofService = `s3://${storage.bucket}/${storage.prefix}`;
  return {
    ofService,
    ownFolder: (name) => name,
    resolve: async (dir) => {
      if (/^[./]*$/.test(dir) && dir.trim() !== '' && !dir.includes('..')) return ofService;
      const path = parseMediaPath(dir.replace(/\/+$/, ''), '/');
      if (typeof path === 'string') return path;
      throw invalidRequest([
        {
          field: '/root',
          code: path.code,
          message: `"${dir}" is not a folder in ${ofService}. ${path.message}`,
          fix: 'Send the path of a folder, such as teams/amy, or --root . to share everything.',
        },
      ]);
    },
    hasEntries: async (dir) => {
      const { client } = storageClients(config);
      const { bucket, prefix } = rootLocation(s3Root(storage, dir));
      const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 });
      const { KeyCount = 0 } = await client.send(list).finally(() => client.destroy());
      return KeyCount > 0;
    },
    shown: (dir) => `${ofService}${dir}/`,
  };
}
