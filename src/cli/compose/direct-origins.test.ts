import { expect, test } from 'vitest';
import { directOrigins } from './direct-origins.ts';

const storage = { bucket: 'media', prefix: '' };
const PUBLIC = { storage, storageEndpoint: undefined, storagePublicEndpoint: 'https://s3.example.org:9000/' };

test('files are loaded from the object store only where downloads are redirected there', () => {
  const none = { storageEndpoint: 'http://10.0.0.7:9000', storagePathStyle: undefined };
  expect(directOrigins({ ...none, storage, storagePublicEndpoint: undefined })).toEqual([]);
  expect(directOrigins({ ...PUBLIC, ...none, storage: undefined })).toEqual([]);
  expect(directOrigins({ ...PUBLIC, ...none })).toEqual(['https://s3.example.org:9000']);
});

test('the bucket is in the host name without path style', () => {
  const origins = ['https://s3.example.org:9000', 'https://media.s3.example.org:9000'];
  expect(directOrigins({ ...PUBLIC, storagePathStyle: false })).toEqual(origins);
  expect(directOrigins({ ...PUBLIC, storagePathStyle: undefined }), 'the default of AWS').toEqual(origins);
  expect(directOrigins({ ...PUBLIC, storagePathStyle: true })).toEqual(origins.slice(0, 1));
});
